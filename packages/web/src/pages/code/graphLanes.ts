/** A commit of a graph: its id and those of its parents. */
export interface GraphCommit {
  readonly sha: string
  readonly parents: ReadonlyArray<string>
}

/** A line within the row of a commit, from one lane at its top, or its middle, to another lane below. */
export interface GraphLine {
  readonly from: number
  readonly to: number
  /** `in` ends at the commit, `out` begins there, `past` passes by. */
  readonly part: "in" | "out" | "past"
}

/** The row of a commit: its lane, counted from 0, and the lines in the row. */
export interface GraphRow {
  readonly lane: number
  readonly lines: ReadonlyArray<GraphLine>
}

/**
 * Returns the rows of a commit graph. Each commit must come before its parents; a parent that is not listed keeps its
 * lane to the end.
 *
 * @example
 * const line = { from: 0, to: 0 }
 * const rows = [{ lane: 0, lines: [{ ...line, part: "out" }] }, { lane: 0, lines: [{ ...line, part: "in" }] }]
 * lanesOf([{ sha: "b", parents: ["a"] }, { sha: "a", parents: [] }]) // => rows
 */
export const lanesOf = (commits: ReadonlyArray<GraphCommit>): ReadonlyArray<GraphRow> => {
  /** The commit that each lane leads to; undefined for a free lane. */
  const lanes: Array<string | undefined> = []
  const take = (sha: string): number => {
    const known = lanes.indexOf(sha)
    if (known >= 0) return known
    const free = lanes.indexOf(undefined)
    const lane = free >= 0 ? free : lanes.length
    lanes[lane] = sha
    return lane
  }
  return commits.map(({ parents, sha }) => {
    const before = [...lanes]
    const lane = take(sha)
    const lines: Array<GraphLine> = before.flatMap((awaited, from): ReadonlyArray<GraphLine> => {
      if (awaited === undefined) return []
      return awaited === sha ? [{ from, to: lane, part: "in" }] : [{ from, to: from, part: "past" }]
    })
    lanes[lane] = undefined
    // The first parent continues the lane, unless another lane leads to it.
    for (const [at, parent] of parents.entries()) {
      if (at === 0 && !lanes.includes(parent)) lanes[lane] = parent
      lines.push({ from: lane, to: take(parent), part: "out" })
    }
    while (lanes.length > 0 && lanes.at(-1) === undefined) lanes.pop()
    return { lane, lines }
  })
}
