import type { PageRequest } from "@slipway/domain"
import { Effect } from "effect"

/** A page of a list. Without `total`, the response has no header `X-Total-Count`. */
export interface Listed<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly total?: number | undefined
  /** Whether more rows follow; needed only if neither `total` nor `next` is set. */
  readonly more?: boolean | undefined
  /** The cursor of the next page. */
  readonly next?: string | undefined
}

// BOUNDARY: each way of showing has its own input and output types; the implementation is the same.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Some = any

/** A handler's result that is already in the format of the API response, so that the group does not convert it. */
export class Shown<T> {
  readonly answer: T
  /** The page of a list inside a single resource; the response then gets pagination headers. */
  readonly paged: { readonly page: PageRequest; readonly total: number } | undefined
  constructor(answer: T, paged?: { readonly page: PageRequest; readonly total: number }) {
    this.answer = answer
    this.paged = paged
  }
}

/** Marks a handler's result as already converted to the format of the API response. */
export const shown = <T>(answer: T): Shown<T> => new Shown(answer)

// One overload each, so that a plain function brings no services.
interface ShowOther {
  one: {
    <Row, T, E, R>(answer: Effect.Effect<Row, E, R>, how: (row: Row) => T): Effect.Effect<Shown<T>, E, R>
    <Row, T, E, R, R2>(
      answer: Effect.Effect<Row, E, R>,
      how: Effect.Effect<(row: Row) => T, never, R2>
    ): Effect.Effect<Shown<T>, E, R | R2>
  }
  all: {
    <Row, T, E, R>(
      answer: Effect.Effect<ReadonlyArray<Row>, E, R>,
      how: (row: Row) => T
    ): Effect.Effect<Shown<ReadonlyArray<T>>, E, R>
    <Row, T, E, R, R2>(
      answer: Effect.Effect<ReadonlyArray<Row>, E, R>,
      how: Effect.Effect<(row: Row) => T, never, R2>
    ): Effect.Effect<Shown<ReadonlyArray<T>>, E, R | R2>
  }
  page: {
    <Row, T, E, R>(
      answer: Effect.Effect<Listed<Row>, E, R>,
      how: (row: Row) => T
    ): Effect.Effect<Shown<Listed<T>>, E, R>
    <Row, T, E, R, R2>(
      answer: Effect.Effect<Listed<Row>, E, R>,
      how: Effect.Effect<(row: Row) => T, never, R2>
    ): Effect.Effect<Shown<Listed<T>>, E, R | R2>
  }
}

const showOther =
  (change: (answer: Some, show: (row: Some) => unknown) => unknown) =>
  (answer: Effect.Effect<Some, Some, Some>, how: Some): Some =>
    Effect.flatMap(Effect.isEffect(how) ? (how as Effect.Effect<Some>) : Effect.succeed(how), (show: Some) =>
      Effect.map(answer, (found) => shown(change(found, show)))
    )

/** Returns a resource in another response format than the default of its endpoint group. */
export const shownOne: ShowOther["one"] = showOther((found, show) => show(found))

/** Returns a complete list in another response format than the default of its endpoint group. */
export const shownAll: ShowOther["all"] = showOther((found, show) => found.map(show))

/** Returns a page of a list in another response format than the default of its endpoint group. */
export const shownPage: ShowOther["page"] = showOther((found, show) => ({ ...found, rows: found.rows.map(show) }))
