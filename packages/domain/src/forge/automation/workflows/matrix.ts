import type { Matrix, PlainRecord, PlainValue } from "./Workflow.ts"

/** Serializes a value for comparison; equal maps have equal texts, independent of the order of their keys. */
const written = (value: PlainValue): string => {
  if (Array.isArray(value)) return `[${value.map(written).join()}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const record = value as PlainRecord
  return `{${Object.keys(record)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${written(record[key] ?? null)}`)
    .join()}}`
}

/** The cache of serialized maps and lists, which are compared many times in a matrix. */
const known = new WeakMap<object, string>()

const canonical = (value: PlainValue): string => {
  if (typeof value !== "object" || value === null) return written(value)
  const before = known.get(value) ?? written(value)
  known.set(value, before)
  return before
}

const sameValue = (one: PlainValue | undefined, other: PlainValue | undefined): boolean =>
  one !== undefined && other !== undefined && canonical(one) === canonical(other)

/** Returns all combinations of the matrix values; undefined if there are more than `most`. */
const product = (vectors: Matrix["vectors"], most: number): ReadonlyArray<PlainRecord> | undefined => {
  let combined: ReadonlyArray<PlainRecord> = [{}]
  for (const [name, values] of vectors) {
    if (combined.length * values.length > most) return undefined
    combined = combined.flatMap((before) => values.map((value) => ({ ...before, [name]: value })))
  }
  return combined
}

/** The maximum number of combinations of a matrix before `exclude` is applied. */
const mostBefore = 4_096

/**
 * Returns the matrix values for each job; undefined if there are more than `most` jobs.
 *
 * An `include` entry extends each combination that it does not change, and otherwise adds a new combination.
 *
 * @example
 * const matrix = { vectors: [["os", ["a", "b"]]], include: [{ os: "b", fast: true }, { os: "c" }], exclude: [] } as const
 * combinationsOf(matrix, 256) // => [{ os: "a" }, { os: "b", fast: true }, { os: "c" }]
 */
export const combinationsOf = (
  { exclude, include, vectors }: Matrix,
  most: number
): ReadonlyArray<PlainRecord> | undefined => {
  const all = vectors.length === 0 ? [] : product(vectors, mostBefore)
  if (all === undefined) return undefined
  const combinations = all.filter(
    (each) => !exclude.some((leftOut) => Object.entries(leftOut).every(([name, value]) => sameValue(each[name], value)))
  )
  const combined: Array<PlainRecord> = [...combinations]
  for (const more of include) {
    const fitting = combinations.flatMap((original, at) =>
      Object.entries(more).every(([name, value]) => !(name in original) || sameValue(original[name], value)) ? [at] : []
    )
    for (const at of fitting) combined[at] = { ...combined[at], ...more }
    if (fitting.length === 0) combined.push(more)
    if (combined.length > most) return undefined
  }
  return combined.length > most ? undefined : combined
}

const shown = (value: PlainValue): string => (typeof value === "object" ? JSON.stringify(value) : String(value))

/**
 * Formats the matrix values of a job for its display name.
 *
 * @example
 * valuesShown({ os: "linux", node: 24 }) // => "linux, 24"
 */
export const valuesShown = (values: PlainRecord): string => Object.values(values).map(shown).join(", ")
