/** Keys for `/v1` and for `/internal` (specification, "Authentication"). */
export const keyPrefixes = { secret: "svc_sk_", internal: "svc_int_" } as const;
export type KeyKind = keyof typeof keyPrefixes;

const forms: Record<KeyKind, RegExp> = {
  secret: /^svc_sk_[0-9a-fA-F]{64}$/,
  internal: /^svc_int_[0-9a-fA-F]{64}$/,
};

/** Whether the text has the form of a key of that kind: prefix and 64 hexadecimal characters. */
export function isKeyOfKind(text: string, kind: KeyKind): boolean {
  return forms[kind].test(text);
}
