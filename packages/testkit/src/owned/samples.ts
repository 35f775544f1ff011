import { ascending, descending, Fields, owned } from "@slipway/domain"

/** A shelf of the site. */
export interface Shelf {
  readonly id: number
  readonly name: string
  readonly access: "open" | "closed"
}

/** A kind of the site: rows lie in nothing. */
export const shelves = owned<Shelf>()("sampleShelf", {
  within: [],
  fields: { name: Fields.text({ ignoringCase: true }), access: Fields.oneOf("open", "closed") },
  orders: { name: ascending("name"), newest: descending("id") },
  filters: ["access"],
  unique: { name: ["name"] }
})

/** Who writes books. */
export interface Author {
  readonly id: number
  readonly name: string
}

/** A kind with nothing but a name. */
export const authors = owned<Author>()("sampleAuthor", { within: [], fields: { name: Fields.text() } })

/** A book on a shelf. */
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

/** A kind that uses all that a declaration can say. */
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

/** That an author recommends a book. */
export interface Recommendation {
  readonly id: number
  readonly bookId: number
  readonly authorId: number
}

/** A pair of two things, listed from either side. */
export const recommendations = owned<Recommendation>()("sampleRecommendation", {
  within: ["bookId", "authorId"],
  fields: { bookId: Fields.reference("sampleBook"), authorId: Fields.reference("sampleAuthor") },
  unique: { pair: ["bookId", "authorId"] },
  counters: { recommended: { of: "bookId" } }
})

/** A card of a shelf; its fields have names that collide with those in statements. */
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

/** A kind with field names that statements need themselves. */
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

/** Kinds that between them use all that a declaration can say. */
export const sampleKinds = [shelves, authors, books, recommendations, cards] as const
