import { Option, Schema } from "effect"
import { Yaml } from "effect/encoding"

/** The maximum size of a template or settings file, in bytes. */
export const largestTemplate = 65_536

const Text = Schema.String
const Some = Schema.Array(Text)
const textOr = Schema.optionalKey(Schema.NullOr(Text))

const Field = Schema.Struct({
  type: Schema.Literals(["markdown", "textarea", "input", "dropdown", "checkboxes"]),
  id: textOr,
  attributes: Schema.optionalKey(Schema.NullOr(Schema.Record(Text, Schema.Unknown))),
  validations: Schema.optionalKey(Schema.NullOr(Schema.Record(Text, Schema.Unknown))),
  visible: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Literals(["form", "content"]))))
})

const Head = Schema.Struct({
  name: textOr,
  title: textOr,
  about: textOr,
  description: textOr,
  labels: Schema.optionalKey(Schema.NullOr(Schema.Union([Some, Text]))),
  assignees: Schema.optionalKey(Schema.NullOr(Schema.Union([Some, Text]))),
  ref: textOr,
  body: Schema.optionalKey(Schema.NullOr(Schema.Array(Field)))
})

/** A field of an issue form. */
export interface FormField {
  readonly id: string
  readonly type: (typeof Field.Type)["type"]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly validations: Readonly<Record<string, unknown>>
  readonly visible: ReadonlyArray<"form" | "content">
}

/** A template for new issues: a text, or a form. */
export interface IssueTemplate {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly labels: ReadonlyArray<string>
  readonly assignees: ReadonlyArray<string>
  readonly ref: string
  readonly content: string
  readonly body: ReadonlyArray<FormField>
  /** The path of the template file. */
  readonly file: string
}

/**
 * The maximum number of values in a YAML file, after its aliases are expanded: a small file can expand to many values.
 */
const mostValues = 5_000

const isBounded = (value: unknown): boolean => {
  const waiting: Array<unknown> = [value]
  for (let count = 0; waiting.length > 0; count += 1) {
    if (count > mostValues) return false
    const next = waiting.pop()
    if (typeof next === "object" && next !== null) {
      const values = Object.values(next)
      if (values.length > mostValues) return false
      for (const each of values) waiting.push(each)
    }
  }
  return true
}

/** The maximum number of aliases in a YAML file with merge keys, because each alias can copy all keys of a mapping. */
const mostMerged = 100

const mergesTooMuch = (text: string): boolean =>
  text.includes("<<") && (text.match(/\*(?=[^\s*])/g)?.length ?? 0) > mostMerged

const parsed = (text: string): Option.Option<unknown> => {
  if (mergesTooMuch(text)) return Option.none()
  try {
    const value = Yaml.parse(text)
    return isBounded(value) ? Option.some(value) : Option.none()
  } catch {
    return Option.none()
  }
}

const readHead = Schema.decodeUnknownOption(Head)

const listOf = (value: ReadonlyArray<string> | string | null | undefined): ReadonlyArray<string> =>
  (typeof value === "string" ? value.split(",") : (value ?? []))
    .map((each) => each.trim())
    .filter((each) => each !== "")

const templateOf = (head: typeof Head.Type, file: string, content: string): IssueTemplate => ({
  name: head.name ?? "",
  title: head.title ?? "",
  about: head.about ?? head.description ?? "",
  labels: listOf(head.labels),
  assignees: listOf(head.assignees),
  ref: head.ref ?? "",
  content,
  body: (head.body ?? []).map(({ attributes, id, type, validations, visible }, at) => ({
    id: id ?? String(at),
    type,
    attributes: attributes ?? {},
    validations: validations ?? {},
    visible: visible ?? (type === "markdown" ? ["form"] : ["form", "content"])
  })),
  file
})

const frontMatter = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/**
 * Parses the issue template in a file: Markdown with YAML front matter, or a form in YAML. Returns undefined if the
 * file contains no template.
 */
export const readTemplate = (file: string, text: string): IssueTemplate | undefined => {
  const isForm = /\.ya?ml$/i.test(file)
  if (!isForm && !/\.md$/i.test(file)) return undefined
  const [front = "", yaml = ""] = isForm ? ["", text] : (frontMatter.exec(text) ?? [])
  const head = Option.flatMap(parsed(yaml), readHead)
  if (Option.isNone(head)) return undefined
  const template = templateOf(head.value, file, isForm ? "" : text.slice(front.length).trim())
  const hasAbout = template.name.trim() !== "" && template.about.trim() !== ""
  return hasAbout && (!isForm || template.body.length > 0) ? template : undefined
}

/** A link that the page for new issues shows next to the templates, for example to a forum. */
export interface ContactLink {
  readonly name: string
  readonly url: string
  readonly about: string
}

/** The options of the page for new issues: whether issues without a template are allowed, and links to other places. */
export interface IssueConfig {
  readonly blankIssues: boolean
  readonly contactLinks: ReadonlyArray<ContactLink>
}

/** The default options for opening issues. */
export const plainConfig: IssueConfig = { blankIssues: true, contactLinks: [] }

const Config = Schema.Struct({
  blank_issues_enabled: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  contact_links: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(
        Schema.Struct({
          name: Text.check(Schema.isNonEmpty()),
          url: Text.check(
            Schema.makeFilter((url: string) => (/^https?:\/\/[^/\s]+/i.test(url) ? undefined : "must be a web address"))
          ),
          about: Text.check(Schema.isNonEmpty())
        })
      )
    )
  )
})

const readConfig = Schema.decodeUnknownOption(Config)

/** Parses the options for opening issues from the text of the configuration file; undefined if the text is invalid. */
export const configIn = (text: string): IssueConfig | undefined => {
  if (text.trim() === "") return plainConfig
  return Option.getOrUndefined(
    Option.map(Option.flatMap(parsed(text), readConfig), ({ blank_issues_enabled, contact_links }) => ({
      blankIssues: blank_issues_enabled ?? true,
      contactLinks: contact_links ?? []
    }))
  )
}
