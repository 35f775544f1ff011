import { ascending, descending, Fields, owned } from "@slipway/domain"

/** A shelf of the sample types, which belongs to no other resource. */
export interface Shelf {
  readonly id: number
  readonly name: string
  readonly access: "open" | "closed"
}

/** A sample resource type without a parent: its rows belong to no other resource. */
export const shelves = owned<Shelf>()("sampleShelf", {
  within: [],
  fields: { name: Fields.text({ ignoringCase: true }), access: Fields.oneOf("open", "closed") },
  orders: { name: ascending("name"), newest: descending("id") },
  filters: ["access"],
  unique: { name: ["name"] }
})

/** An author of books, for the sample types. */
export interface Author {
  readonly id: number
  readonly name: string
}

/** A sample resource type that has only a name. */
export const authors = owned<Author>()("sampleAuthor", { within: [], fields: { name: Fields.text() } })

/** A book on a shelf, for the sample types. */
export interface Book {
  readonly id: number
  readonly shelfId: number
  readonly number: number
  readonly title: string
  readonly isbn: string | null
  readonly state: "in" | "lent"
  readonly authorId: number | null
  readonly pages: number
  readonly dueAt: string | null
  readonly createdAt: string
  readonly tags: ReadonlyArray<string>
  readonly order: boolean
}

/** A sample resource type that uses every feature of a declaration. */
export const books = owned<Book, { readonly code: string }>()("sampleBook", {
  within: ["shelfId"],
  numbered: "number",
  fields: {
    shelfId: Fields.reference("sampleShelf"),
    number: Fields.integer(),
    title: Fields.text({ ignoringCase: true }),
    isbn: Fields.nullable(Fields.text()),
    state: Fields.oneOf("in", "lent"),
    authorId: Fields.looseReference("sampleAuthor"),
    pages: Fields.integer(),
    dueAt: Fields.nullable(Fields.time()),
    createdAt: Fields.time(),
    tags: Fields.json(),
    order: Fields.boolean()
  },
  hidden: { code: Fields.text() },
  orders: {
    title: ascending("title"),
    due: ascending("dueAt"),
    newest: descending("createdAt", "title"),
    shelved: ascending("order", "number")
  },
  filters: ["state", "authorId", "dueAt", "order", "title"],
  unique: { isbn: ["shelfId", "isbn"], code: ["code"], title: ["shelfId", "title", "pages"] },
  counters: {
    all: { of: "shelfId" },
    lent: { of: "shelfId", where: { state: "lent" } },
    written: { of: "authorId" }
  }
})

/** A recommendation of a book by an author, for the sample types. */
export interface Recommendation {
  readonly id: number
  readonly bookId: number
  readonly authorId: number
}

/** A sample resource type that links two resources, and can be listed from both sides. */
export const recommendations = owned<Recommendation>()("sampleRecommendation", {
  within: ["bookId", "authorId"],
  fields: { bookId: Fields.reference("sampleBook"), authorId: Fields.reference("sampleAuthor") },
  unique: { pair: ["bookId", "authorId"] },
  counters: { recommended: { of: "bookId" } }
})

/** A card of a shelf, for the sample types. Its field names are also names in SQL statements. */
export interface Card {
  readonly id: number
  readonly shelfId: number
  readonly last: number
  readonly place: number
  readonly value: string
  readonly total: number | null
  readonly scope: string
  readonly amount: number
  readonly sought: number
  readonly given: string
}

/** A sample resource type with field names that SQL statements also use. */
export const cards = owned<Card>()("sampleCard", {
  within: ["shelfId"],
  numbered: "last",
  fields: {
    shelfId: Fields.reference("sampleShelf"),
    last: Fields.integer(),
    place: Fields.integer(),
    value: Fields.text({ ignoringCase: true }),
    total: Fields.nullable(Fields.integer()),
    scope: Fields.text(),
    amount: Fields.integer(),
    sought: Fields.integer(),
    given: Fields.text()
  },
  orders: { place: ascending("place"), value: ascending("value", "sought"), total: descending("total", "scope") },
  filters: ["place", "total", "amount", "sought"],
  unique: { place: ["shelfId", "place"], value: ["shelfId", "value"] },
  counters: { sought: { of: "shelfId" } }
})

/** The sample resource types, which together use every feature of a declaration. */
export const sampleKinds = [shelves, authors, books, recommendations, cards] as const
