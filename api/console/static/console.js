"use strict";

// The console works without this. Here single keys move: they follow links and bring buttons under the finger, and never press one.
const typing = "input:not([type=checkbox]), textarea, select, [contenteditable]";

(() => {
  const storedOff = "media-index-shortcuts-off";
  const dialog = document.getElementById("shortcuts");
  const opener = document.querySelector("[data-shortcuts]");
  const goWaitMilliseconds = 1500;
  let goUntil = 0;

  let isOff = readOff();

  function readOff() {
    try {
      return localStorage.getItem(storedOff) !== null;
    } catch {
      return false;
    }
  }
  function keepOff(off) {
    isOff = off;
    announceKeys();
    try {
      if (off) localStorage.setItem(storedOff, "1");
      else localStorage.removeItem(storedOff);
    } catch {
      // Without storage the choice holds for this page.
    }
  }

  if (opener && dialog) {
    opener.hidden = false;
    opener.addEventListener("click", () => dialog.showModal());
    const choice = dialog.querySelector("[data-shortcuts-on]");
    choice.checked = !isOff;
    choice.addEventListener("change", () => keepOff(!choice.checked));
  }

  // A quick page is there before the second press of a double click, which would be another wish on it.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest("button")) event.preventDefault();
  });

  for (const time of document.querySelectorAll("time[title]"))
    time.title = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });

  /** Tells who does not see the page which keys there are. */
  function announceKeys() {
    for (const element of document.querySelectorAll("[data-key]")) {
      if (isOff) element.removeAttribute("aria-keyshortcuts");
      else element.setAttribute("aria-keyshortcuts", element.dataset.key);
    }
  }
  announceKeys();

  function move(step) {
    const rows = [...document.querySelectorAll("[data-row]")];
    const at = rows.findIndex(
      (row) => row === document.activeElement || row.closest("tr")?.contains(document.activeElement),
    );
    const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
    rows[next]?.focus();
  }

  function openRow() {
    const row =
      document.activeElement?.closest("tr")?.querySelector("[data-row]") ?? document.querySelector("[data-row]");
    row?.click();
  }

  /** Follows a link; brings anything else into focus, with what hides it opened. */
  function reach(element) {
    if (element instanceof HTMLAnchorElement) {
      element.click();
      return;
    }
    const folded = element.closest("details");
    if (folded) folded.open = true;
    element.scrollIntoView({ block: "center" });
    element.focus();
    if (element instanceof HTMLInputElement) element.select();
  }

  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key.length !== 1 || event.target.closest?.(typing) || dialog?.open || isOff) return;
    const isGoing = Date.now() < goUntil;
    goUntil = 0;
    const [attribute, value] = isGoing ? ["data-go", key] : ["data-key", key];
    const aimed = document.querySelector(`[${attribute}="${CSS.escape(value)}"]`);
    if (aimed) reach(aimed);
    else if (isGoing) return;
    else if (key === "g") goUntil = Date.now() + goWaitMilliseconds;
    else if (key === "?") dialog?.showModal();
    else if (key === "j") move(1);
    else if (key === "k") move(-1);
    else if (key === "o") openRow();
    else return;
    event.preventDefault();
  });
})();
