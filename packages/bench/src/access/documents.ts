import { DatabaseSync } from "node:sqlite"
import { defineRules, Facts, inherited, type Level, subjectsOf } from "@slipway/access"

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, at) => at)
const pick = (seed: number, below: number): number => ((seed * 2654435761) >>> 8) % below

/** A permission on a node that a user or group has. */
export interface Share {
  readonly node: string
  readonly subject: string
  readonly level: 1 | 2
}

/** An article of example 1 and 2. */
export interface Article {
  readonly author: string
  readonly archived: boolean
}

/** The users. */
export const users = numbers(200).map((at) => `u${at}`)
/** The administrators, who are the first two users. */
export const administrators: ReadonlySet<string> = new Set(users.slice(0, 2))

/** The members of each group: users, and groups of the ten groups before. */
export const members: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  numbers(30).map((at) => {
    const people = numbers(6).map((n) => `u${pick(at * 7 + n, users.length)}`)
    return [`g${at}`, [...new Set(at < 10 ? people : [...people, `g${at - 10}`])]]
  })
)

/** The parent of each folder and document. A folder has at most four folders above it. */
export const parents: ReadonlyMap<string, string> = new Map([
  ...numbers(190).map((at): [string, string] => [`f${at + 10}`, `f${at >> 2}`]),
  ...numbers(2_000).map((at): [string, string] => [`d${at}`, `f${at % 200}`])
])

/** The folders. */
export const folders = numbers(200).map((at) => `f${at}`)
/** The documents in the folders. */
export const documents = numbers(2_000).map((at) => `d${at}`)

/** The articles by name. */
export const articles: ReadonlyMap<string, Article> = new Map(
  numbers(500).map((at) => [`a${at}`, { author: users[at % users.length] ?? "", archived: at % 7 === 0 }])
)

/** The permissions that users and groups have on folders and documents, each once. */
export const shares: ReadonlyArray<Share> = [
  ...new Map(
    numbers(400).map((at): [string, Share] => {
      const subject = at % 2 === 0 ? `g${pick(at + 11, 30)}` : `u${pick(at + 13, users.length)}`
      const node = at % 4 < 3 ? `f${pick(at + 17, folders.length)}` : `d${pick(at + 19, documents.length)}`
      return [`${node} ${subject}`, { node, subject, level: at % 3 === 0 ? 1 : 2 }]
    })
  ).values()
]

/** A question whether a user may do an action on an article or a document. */
export interface Question {
  readonly user: string
  readonly action: "read" | "edit"
  readonly object: string
}

const sample = (count: number, question: (at: number) => Question): ReadonlyArray<Question> =>
  numbers(count).map(question)

const articlesWhere = (archived: boolean) =>
  [...articles].flatMap(([name, article]) => (article.archived === archived ? [{ name, ...article }] : []))
const [current, archived] = [articlesWhere(false), articlesWhere(true)]

/** Half of the questions are about the author, a quarter about an administrator. */
const aboutOwners = sample(200, (at): Question => {
  const { author = "", name = "" } = current[pick(at + 23, current.length)] ?? {}
  const other = at % 4 === 1 ? "u0" : `u${pick(at + 29, users.length)}`
  return { user: at % 2 === 0 ? author : other, action: "edit", object: name }
})

/** All questions are about the author. Half of the articles are archived. */
const aboutArchived = sample(200, (at): Question => {
  const some = at % 2 === 0 ? current : archived
  const { author = "", name = "" } = some[pick(at + 23, some.length)] ?? {}
  return { user: author, action: "edit", object: name }
})

const memberships = new Map<string, Array<string>>()
for (const [group, held] of members) {
  for (const member of held) memberships.set(member, [...(memberships.get(member) ?? []), group])
}
const depth = 8
const subjects = (user: string): ReadonlyArray<string> => subjectsOf(user, (each) => memberships.get(each) ?? [], depth)

/** Questions about documents. Half of them are about users who have a permission through one of `names`. */
const onDocuments = (action: "read" | "edit", names: (user: string) => ReadonlyArray<string>) =>
  sample(200, (at): Question => {
    const user = `u${pick(at + 31, users.length)}`
    const reached = shares.find(({ subject }) => names(user).includes(subject))?.node
    const below = documents.filter((each) => reached !== undefined && parents.get(each) === reached)
    const object = (at % 2 === 0 ? below[pick(at, below.length || 1)] : undefined) ?? `d${pick(at + 37, 2_000)}`
    return { user, action, object }
  })

/** The questions of the examples 1 to 4 of the guide. */
export const examples: Readonly<Record<string, ReadonlyArray<Question>>> = {
  "1. owners and administrators": aboutOwners,
  "2. a deny rule": aboutArchived,
  "3. folders": onDocuments("edit", (user) => [user]),
  "4. groups in groups": onDocuments("read", (user) => subjects(user).slice(1))
}

/** The users of example 5, who list the documents that they may edit. */
export const listers = numbers(40).map((at) => `u${pick(at + 41, users.length)}`)

const articleRules = defineRules(
  {
    author: Facts.flag("the caller wrote the article", "another user wrote the article"),
    administrator: Facts.flag("the caller is an administrator", "the caller is not an administrator"),
    archived: Facts.flag("the article is archived", "the article is in use")
  },
  ({ flag }) => ({
    read: { allow: {} },
    edit: {
      allow: {
        author: { when: flag("author"), because: "authors edit their articles" },
        administrator: { when: flag("administrator"), because: "administrators edit all articles" }
      },
      deny: { archived: { when: flag("archived"), because: "an archived article does not change" } }
    }
  })
)

const shared = inherited("the level shared with the caller", {
  nodes: "nodes",
  id: "id",
  parent: "parent",
  grants: "shares",
  node: "node",
  subject: "subject",
  level: "level",
  depth
})
const documentRules = defineRules({ shared: shared.fact }, ({ atLeast }) => ({
  read: { allow: { shared: { when: atLeast("shared", 1), because: "it is shared" } } },
  edit: { allow: { writers: { when: atLeast("shared", 2), because: "it is shared for writing" } } }
}))

const grants = new Map<string, Map<string, Level>>()
for (const { level, node, subject } of shares) {
  grants.set(node, (grants.get(node) ?? new Map<string, Level>()).set(subject, level))
}

/** Decides a question with `@slipway/access`. The facts come from maps in memory, and are computed for each decision. */
export const decide = ({ action, object, user }: Question): boolean => {
  const article = articles.get(object)
  if (article !== undefined) {
    const { archived, author } = article
    const facts = { author: author === user, administrator: administrators.has(user), archived }
    return articleRules.check(action, facts).allowed
  }
  const held = subjects(user)
  const grantedOn = (node: string): Level => {
    const on = grants.get(node)
    let level: Level = 0
    for (const each of on === undefined ? [] : held) {
      const granted = on?.get(each) ?? 0
      if (granted > level) level = granted
    }
    return level
  }
  return documentRules.check(action, { shared: shared.levelOf(object, (node) => parents.get(node), grantedOn) }).allowed
}

/** Opens a database in memory with the same documents, and returns the list of the documents that a user may edit. */
export const openLists = (): ((user: string) => ReadonlyArray<string>) => {
  const database = new DatabaseSync(":memory:")
  database.exec(`
    create table nodes (id text primary key, parent text, is_document integer);
    create index nodes_by_parent on nodes (parent);
    create table shares (node text, subject text, level integer, primary key (subject, node)) without rowid;
  `)
  const node = database.prepare("insert into nodes values (?, ?, ?)")
  for (const id of [...folders, ...documents]) node.run(id, parents.get(id) ?? null, Number(id.startsWith("d")))
  const share = database.prepare("insert into shares values (?, ?, ?)")
  for (const { level, node, subject } of shares) share.run(node, subject, level)
  const list = documentRules.listObjects("edit", {}, { from: "facts", key: "id", limit: 2_000, dialect: "sqlite" })
  return (user) => {
    const held = subjects(user)
    const signs = held.map((): string => "?")
    const facts = [
      `select n.id, held.level as "shared" from nodes as n`,
      `join ${shared.sqlLevels(signs)} as held on held.id = n.id where n.is_document`
    ].join(" ")
    const rows = database.prepare(`with "facts" as (${facts}) ${list.text}`).all(...held, ...list.values)
    return rows.map(({ id }) => String(id))
  }
}
