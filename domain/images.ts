/** Finds the image that a page is shown with elsewhere. */
export interface ImageFinder {
  /** Absolute URL of the image, or null where the page names none. Throws what keeps it from the page. */
  find(pageUrl: string, signal: AbortSignal): Promise<string | null>;
}
