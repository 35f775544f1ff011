import { Predicate } from "effect"

/** Returns the value at a path of a row, such as `placement.environmentUuid`. */
export const factOf = (row: unknown, path: string): unknown =>
  path.split(".").reduce((part, name) => (Predicate.isObject(part) ? part[name] : undefined), row)

/** Returns a copy of a row with another value at a path, such as `placement.serverUuid`. */
export const withFact = <Row extends object>(row: Row, path: string, value: unknown): Row => {
  const [name = "", ...rest] = path.split(".")
  const inner = factOf(row, name)
  return {
    ...row,
    [name]: rest.length === 0 ? value : withFact(Predicate.isObject(inner) ? inner : {}, rest.join("."), value)
  }
}
