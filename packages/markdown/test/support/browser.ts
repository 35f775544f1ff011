import { type DefaultTreeAdapterTypes, parseFragment, serialize } from "parse5"

const elements = new Set(
  "a abbr b blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr".split(
    " "
  )
)
const words = new Set(
  "align alt checked class colspan datetime dir disabled height href id lang name open rel reversed rowspan scope src start title type width".split(
    " "
  )
)
const own = /^(?:user-content-|$)/
const classes =
  /^(?:language-\S+|contains-task-list|task-list-item(?:-checkbox)?|footnotes?(?:-[a-z]+)?|markdown-alert(?:-(?:title|note|tip|important|warning|caution))?)$/

const harmIn = (name: string, word: string, value: string): boolean => {
  // It names the checkbox of a task, and nothing else.
  if (word === "aria-label") return name !== "input"
  // It only allows keyboard users to scroll wide content.
  if (word === "tabindex") return value !== "0" || (name !== "pre" && name !== "table")
  if (!words.has(word)) return true
  if (word === "id" || word === "name") return !own.test(value)
  if (word === "class") return !value.split(/\s+/).every((each) => classes.test(each))
  if (name === "input") return word === "type" && value !== "checkbox"
  if (word !== "href" && word !== "src") return false
  // Parsed like a browser does on a page of the forge.
  const { host, protocol } = new URL(value, "https://forge.example/acme/site")
  return word === "src"
    ? !["http:", "https:"].includes(protocol) || host === "evil.example"
    : !["http:", "https:", "mailto:"].includes(protocol) || host === "evil.example"
}

const harmBelow = (node: DefaultTreeAdapterTypes.Node): ReadonlyArray<string> => {
  const below = "childNodes" in node ? node.childNodes.flatMap(harmBelow) : []
  if (!("tagName" in node)) return node.nodeName === "#comment" ? ["a comment", ...below] : below
  const { attrs, namespaceURI, tagName } = node
  return [
    ...(elements.has(tagName) && namespaceURI === "http://www.w3.org/1999/xhtml" ? [] : [tagName]),
    ...(tagName === "input" && !attrs.some(({ name }) => name === "disabled") ? ["a field to type into"] : []),
    ...attrs.flatMap(({ name, value }) => (harmIn(tagName, name, value) ? [`${tagName} ${name}=${value}`] : [])),
    ...below
  ]
}

/** Returns forbidden parts of HTML, as a browser parses it, and parses its own serialization again. */
export const forbiddenPartsOf = (html: string): ReadonlyArray<string> => {
  const once = parseFragment(html)
  return [...harmBelow(once), ...harmBelow(parseFragment(serialize(once)))]
}
