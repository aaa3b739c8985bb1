import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        responses: z.record(
          z.string(),
          z.looseObject({
            content: z.record(z.string(), z.unknown()).optional(),
            headers: z
              .record(z.string(), z.looseObject({ $ref: z.string().optional(), required: z.boolean().optional() }))
              .optional(),
          }),
        ),
      }),
    ),
  ),
  components: z.looseObject({
    headers: z.record(z.string(), z.looseObject({ required: z.boolean().optional() })).optional(),
  }),
});

export interface SeenResponse {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** Compares responses with an OpenAPI document: status, headers, media type and body must all be described there. */
export class ResponseCheck {
  readonly #document: z.infer<typeof documentSchema>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(document: unknown) {
    this.#document = documentSchema.parse(document);
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, "openapi");
  }

  /** What the document does not say of the response; empty when all is described. */
  undescribed(seen: SeenResponse): string[] {
    const template = Object.keys(this.#document.paths).find((path) => matches(path, seen.path));
    // A HEAD that is not taken has no body to compare; its `Allow` says what is.
    if (seen.method === "HEAD" && seen.status === 405)
      return seen.headers.has("allow") ? [] : ["header Allow is missing"];
    const method = seen.method === "HEAD" ? "get" : seen.method.toLowerCase();
    const operation = template === undefined ? undefined : this.#document.paths[template]?.[method];
    if (template === undefined || operation === undefined) return this.#asEnvelope(seen);
    const response = operation.responses[seen.status];
    if (response === undefined) return [`status ${seen.status}`];
    const faults = Object.entries(response.headers ?? {})
      .filter(([name, header]) => this.#isRequired(header) && !seen.headers.has(name))
      .map(([name]) => `header ${name} is missing`);
    if (seen.text === "") return faults;
    const mediaType = (seen.headers.get("content-type") ?? "").split(";")[0] ?? "";
    if (response.content?.[mediaType] === undefined) return [...faults, `media type ${mediaType}`];
    if (mediaType !== "application/json") return faults;
    const pointer = ["paths", template, method, "responses", String(seen.status), "content", mediaType, "schema"];
    return [...faults, ...this.#against(`openapi#/${pointer.map(escapePointer).join("/")}`, seen.text)];
  }

  #isRequired(header: { $ref?: string | undefined; required?: boolean | undefined }): boolean {
    const name = header.$ref?.split("/").at(-1);
    const resolved = name === undefined ? header : this.#document.components.headers?.[name];
    return resolved?.required === true;
  }

  /** A path or method that is no operation answers with the envelope. */
  #asEnvelope(seen: SeenResponse): string[] {
    if (seen.status !== 404 && seen.status !== 405 && seen.status !== 400)
      return [`${seen.status} of an undescribed operation`];
    return seen.text === "" ? [] : this.#against("openapi#/components/schemas/Error", seen.text);
  }

  #against(reference: string, text: string): string[] {
    const validate = this.#ajv.compile({ $ref: reference });
    return validate(JSON.parse(text))
      ? []
      : (validate.errors ?? []).map((error) => `body${error.instancePath} ${error.message}`);
  }
}

function matches(template: string, path: string): boolean {
  if (!isDecodable(path)) return false;
  const pattern = template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(path);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
