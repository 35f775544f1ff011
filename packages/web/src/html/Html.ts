import { raw, html as template } from "hono/html"

declare const brand: unique symbol

/** Safe HTML: all external values in it are escaped. Only `html` and `sanitizedHtml` create it. */
export interface Html {
  readonly [brand]: "Html"
}

/** A value that a template can contain. `undefined`, `false` and `""` render nothing. */
export type Part = Html | string | number | false | undefined | ReadonlyArray<Html>

/**
 * Creates HTML from a template. Strings are escaped, also in attributes, so attribute values need quotes.
 *
 * The URL in an attribute must come from `urls.ts` or `safeHref`.
 */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  // BOUNDARY: hono returns a promise only for parts that are promises, which `Part` excludes.
  template(strings, ...parts) as unknown as Html

/**
 * Marks the output of the forge's Markdown renderer as safe HTML, because it was sanitized. Do not use it for other
 * text.
 */
export const sanitizedHtml = (rendered: string): Html => raw(rendered) as unknown as Html

/** Empty HTML, for an omitted element. */
export const nothing: Html = html``

/** Returns HTML as a string, including its tags. */
export const textOf = (page: Html): string => String(page)

/**
 * Returns a URL that a user has written if it is safe as a link. Returns `undefined` for schemes such as `javascript:`.
 */
export const safeHref = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  return ["http:", "https:", "mailto:"].includes(new URL(address).protocol) ? address : undefined
}
