import { administrators, articles, documents, folders, members, parents, shares } from "./documents.ts"

/** A relationship tuple: a subject has a relation to an object. Names have a type, such as `user:u1` or `group:g1#member`. */
export interface Tuple {
  readonly subject: string
  readonly relation: string
  readonly object: string
}

/** Returns the name of a node, an article, a user or a group with its type. */
export const typed = (name: string): string => {
  const types: Readonly<Record<string, string>> = {
    a: "article",
    d: "document",
    f: "folder",
    g: "group",
    u: "user"
  }
  return `${types[name[0] ?? ""]}:${name}`
}

const subjectOf = (name: string): string => (name.startsWith("g") ? `${typed(name)}#member` : typed(name))

/** The relationship tuples of the five examples. */
export const tuples: ReadonlyArray<Tuple> = [
  ...[...administrators].map((user) => ({ subject: typed(user), relation: "administrator", object: "site:main" })),
  ...[...articles].flatMap(([name, { archived, author }]) => [
    { subject: "site:main", relation: "site", object: typed(name) },
    { subject: typed(author), relation: "author", object: typed(name) },
    ...(archived ? [{ subject: "user:*", relation: "archived", object: typed(name) }] : [])
  ]),
  ...[...members].flatMap(([group, held]) =>
    held.map((member) => ({ subject: subjectOf(member), relation: "member", object: typed(group) }))
  ),
  ...[...folders, ...documents].flatMap((node) => {
    const parent = parents.get(node)
    return parent === undefined ? [] : [{ subject: typed(parent), relation: "parent", object: typed(node) }]
  }),
  ...shares.map(({ level, node, subject }) => ({
    subject: subjectOf(subject),
    relation: level === 1 ? "reader" : "writer",
    object: typed(node)
  }))
]

/** The five examples as a schema of SpiceDB. */
export const spiceSchema = `
definition user {}
definition group { relation member: user | group#member }
definition site { relation administrator: user }
definition article {
  relation site: site
  relation author: user
  relation archived: user:*
  permission edit = (author + site->administrator) - archived
}
${["folder", "document"]
  .map(
    (type) => `definition ${type} {
  relation parent: folder
  relation reader: user | group#member
  relation writer: user | group#member
  permission edit = writer + parent->edit
  permission read = reader + edit + parent->read
}`
  )
  .join("\n")}
`

const computed = (relation: string) => ({ computedUserset: { relation } })
const through = (tupleset: string, relation: string) => ({
  tupleToUserset: { tupleset: { relation: tupleset }, computedUserset: { relation } }
})
const union = (...child: ReadonlyArray<object>) => ({ union: { child } })
const direct = { this: {} }
const to = (...types: ReadonlyArray<object>) => ({ directly_related_user_types: types })
const user = { type: "user" }
const userOrGroup = to(user, { type: "group", relation: "member" })

const nodeType = (type: string) => ({
  type,
  relations: {
    parent: direct,
    reader: direct,
    writer: direct,
    edit: union(computed("writer"), through("parent", "edit")),
    read: union(computed("reader"), computed("edit"), through("parent", "read"))
  },
  metadata: { relations: { parent: to({ type: "folder" }), reader: userOrGroup, writer: userOrGroup } }
})

/** The five examples as an authorization model of OpenFGA. */
export const openFgaModel = {
  schema_version: "1.1",
  type_definitions: [
    user,
    { type: "group", relations: { member: direct }, metadata: { relations: { member: userOrGroup } } },
    { type: "site", relations: { administrator: direct }, metadata: { relations: { administrator: to(user) } } },
    {
      type: "article",
      relations: {
        site: direct,
        author: direct,
        archived: direct,
        edit: {
          difference: {
            base: union(computed("author"), through("site", "administrator")),
            subtract: computed("archived")
          }
        }
      },
      metadata: {
        relations: { site: to({ type: "site" }), author: to(user), archived: to({ type: "user", wildcard: {} }) }
      }
    },
    nodeType("folder"),
    nodeType("document")
  ]
}
