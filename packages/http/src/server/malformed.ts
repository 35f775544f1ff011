/** Tells whether a schema refused a body because it is no JSON. */
export const isMalformedJson = (root: { readonly _tag: string; readonly annotations?: unknown }): boolean =>
  // Effect gives malformed JSON no marker but this text.
  root._tag === "InvalidValue" && JSON.stringify(root.annotations ?? {}).includes("valid JSON body")
