import type { MarkdownSource } from "@slipway/domain/forge/collaboration"
import sanitizeHtml from "sanitize-html"
import { anchorName, linkTarget } from "./links.ts"

const tags =
  "a abbr b blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr"

const sides = { name: "align", values: ["left", "right", "center"] }
const aligned = Object.fromEntries("div h1 h2 h3 h4 h5 h6 img p table tr td th".split(" ").map((tag) => [tag, [sides]]))

const attributes: Record<string, Array<sanitizeHtml.AllowedAttribute>> = {
  ...aligned,
  "*": ["id", "title", "dir", "lang"],
  a: ["href", "rel", "name"],
  details: ["open"],
  img: [sides, "src", "alt", "width", "height"],
  input: ["type", "checked", "disabled", "aria-label"],
  ol: ["start", "reversed", "type"],
  pre: ["tabindex"],
  table: [sides, "tabindex"],
  td: [sides, "colspan", "rowspan"],
  th: [sides, "colspan", "rowspan", "scope"],
  time: ["datetime"]
}

const classes = {
  code: [/^language-[\w+#.-]{1,40}$/],
  ul: ["contains-task-list"],
  li: ["task-list-item", "footnote-item"],
  input: ["task-list-item-checkbox"],
  sup: ["footnote-ref"],
  section: ["footnotes"],
  ol: ["footnotes-list"],
  hr: ["footnotes-sep"],
  a: ["footnote-backref"],
  p: ["markdown-alert-title"],
  div: ["markdown-alert", /^markdown-alert-(?:note|tip|important|warning|caution)$/]
}

const hasScheme = (address: string) => /^[a-z][a-z0-9+.-]*:/i.test(address)

const numbers = ["width", "height", "colspan", "rowspan", "start"]

/** Removes unsafe HTML (allow list of elements and attributes), and resolves URLs and anchors. */
export const sanitizedHtml = (html: string, { kind, links, pictures, place }: MarkdownSource): string => {
  const references = new Set(links.values())
  const isOwn = (address: string) =>
    !hasScheme(address) ||
    references.has(address) ||
    (place !== undefined && address.startsWith(`${place.repository}/`))
  const common: sanitizeHtml.Transformer = (tagName, attribs) => {
    for (const each of ["id", "name"]) {
      const name = attribs[each] === undefined ? undefined : anchorName(attribs[each])
      if (name === undefined) delete attribs[each]
      else attribs[each] = name
    }
    for (const each of numbers) {
      if (attribs[each] !== undefined && !/^\d{1,4}%?$/.test(attribs[each])) delete attribs[each]
    }
    return { tagName, attribs }
  }
  const picture: sanitizeHtml.Transformer = (tagName, { src, ...others }) => {
    const to = src === undefined ? undefined : linkTarget(src, true, kind, place)
    if (pictures === undefined) return { tagName, attribs: to === undefined ? others : { src: to, ...others } }
    const text = others.alt === undefined || others.alt.trim() === "" ? "picture" : others.alt
    return { tagName: "a", text, attribs: to === undefined ? {} : { href: to, rel: "nofollow" } }
  }
  // Wide code and tables scroll, which needs the focus when there is only a keyboard.
  const scrolling: sanitizeHtml.Transformer = (tagName, attribs) => ({
    tagName,
    attribs: pictures === undefined ? { ...attribs, tabindex: "0" } : attribs
  })
  return sanitizeHtml(html, {
    allowedTags: tags.split(" "),
    allowedAttributes: attributes,
    allowedClasses: classes,
    allowedSchemes: ["http", "https"],
    allowedSchemesByTag: { a: ["http", "https", "mailto"] },
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nonTextTags: ["script", "style", "textarea", "option", "noscript", "title", "iframe", "noembed", "noframes", "xmp"],
    nestingLimit: 100,
    parseStyleAttributes: false,
    transformTags: {
      "*": common,
      a: (tagName, { href, ...others }) => {
        delete others.rel
        if (href === undefined) return { tagName, attribs: others }
        const to = references.has(href) ? href : linkTarget(href, false, kind, place)
        return { tagName, attribs: { ...others, href: to, ...(isOwn(to) ? {} : { rel: "nofollow" }) } }
      },
      img: picture,
      pre: scrolling,
      table: scrolling,
      // The only form fields that remain are checkboxes of tasks; other inputs are removed.
      input: (tagName, { "aria-label": label, checked, class: name, type }) =>
        type?.toLowerCase() === "checkbox"
          ? {
              tagName,
              attribs: {
                type: "checkbox",
                ...(name === undefined ? {} : { class: name }),
                ...(label === undefined ? {} : { "aria-label": label }),
                ...(checked === undefined ? {} : { checked: "" }),
                disabled: ""
              }
            }
          : { tagName: "span", attribs: {} }
    }
  })
}
