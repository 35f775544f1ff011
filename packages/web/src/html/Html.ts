import { raw, html as template } from "hono/html"

declare const brand: unique symbol

/** HTML with all values from outside escaped; only `html` and `sanitizedHtml` create it. */
export interface Html {
  readonly [brand]: "Html"
}

/** A value in a template. `undefined`, `false` and `""` show nothing. */
export type Part = Html | string | number | false | undefined | ReadonlyArray<Html>

/**
 * Makes HTML from a template: strings are escaped, in attributes too, so attributes need quotes.
 *
 * The value of an attribute with an address must come from `urls.ts` or `safeHref`.
 */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  // BOUNDARY: hono returns a promise only for parts that are promises, which `Part` excludes.
  template(strings, ...parts) as unknown as Html

/** Marks the output of the forge's Markdown renderer, which ends in its sanitizer, as safe. Use it for nothing else. */
export const sanitizedHtml = (rendered: string): Html => raw(rendered) as unknown as Html

/** Empty HTML, for an omitted element. */
export const nothing: Html = html``

/** Returns the source text of HTML, with its tags. */
export const textOf = (page: Html): string => String(page)

/** Returns an address that users wrote if a browser may follow it, `undefined` for schemes such as `javascript:`. */
export const safeHref = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  return ["http:", "https:", "mailto:"].includes(new URL(address).protocol) ? address : undefined
}
