import { type Condition, fold, type Node, type Predicate } from "./Condition.ts"
import type { Vocabulary } from "./Facts.ts"

/**
 * The place of each distinction of a vocabulary in a row of bits: one bit for a flag, one for each word of a list, one
 * for each level above the lowest.
 */
export interface Layout {
  readonly vocabulary: Vocabulary
  readonly first: ReadonlyMap<string, number>
  readonly size: number
}

/** Returns the layout of a vocabulary. */
export const layoutOf = (vocabulary: Vocabulary): Layout => {
  const first = new Map<string, number>()
  let size = 0
  for (const [name, fact] of Object.entries(vocabulary)) {
    first.set(name, size)
    size += fact.kind === "flag" ? 1 : fact.kind === "word" ? fact.words.length : fact.levels.length - 1
  }
  return { vocabulary, first, size }
}

/** A record of facts made ready to be decided on: many actions can be asked of it, each in some nanoseconds. */
export class Loaded<F> {
  readonly facts: F
  readonly layout: Layout
  readonly bits: Int32Array

  constructor(layout: Layout, facts: F) {
    this.facts = facts
    this.layout = layout
    this.bits = new Int32Array((layout.size + 31) >> 5)
    const record = facts as Readonly<Record<string, boolean | string | number>>
    for (const name in layout.vocabulary) {
      const fact = layout.vocabulary[name] as Vocabulary[string]
      const place = layout.first.get(name) as number
      const value = record[name]
      if (fact.kind === "flag") {
        if (known(value === true ? 1 : value === false ? 0 : -1, name, value) === 1) this.set(place)
      } else if (fact.kind === "word") {
        this.set(place + known(fact.words.indexOf(value as string), name, value))
      } else {
        const level = known(fact.levels.indexOf(value as number), name, value)
        for (let step = 0; step < level; step++) this.set(place + step)
      }
    }
  }

  private set(place: number) {
    this.bits[place >> 5] = (this.bits[place >> 5] as number) | (1 << (place & 31))
  }
}

// A fact that is missing or out of its list would decide nothing and be taken for a no: it is a defect of the adapter.
const known = (place: number, name: string, value: unknown): number => {
  if (place < 0) throw new Error(`\`${String(value)}\` is no value of the fact \`${name}\``)
  return place
}

/** A condition with its negations brought down to single bits. */
type Form =
  | { readonly op: "bit"; readonly place: number; readonly set: boolean }
  | { readonly op: "all" | "any"; readonly of: ReadonlyArray<Form> }

const negate = (form: Form): Form =>
  form.op === "bit"
    ? { ...form, set: !form.set }
    : { op: form.op === "all" ? "any" : "all", of: form.of.map(negate) }

const flat = (op: "all" | "any", of: ReadonlyArray<Form>): Form => {
  const parts = of.flatMap((each) => (each.op === op ? each.of : [each]))
  return parts.length === 1 ? (parts[0] as Form) : { op, of: parts }
}

const formOf = <F>(condition: Condition<F>, layout: Layout): Form => {
  const at = (fact: string, offset: number): Form => {
    const first = layout.first.get(fact)
    if (first === undefined || offset < 0) throw new Error(`\`${fact}\` is not a fact of this vocabulary`)
    return { op: "bit", place: first + offset, set: true }
  }
  const words = (fact: string): ReadonlyArray<string> => {
    const described = layout.vocabulary[fact]
    return described?.kind === "word" ? described.words : []
  }
  return fold<F, Form>(condition, {
    flag: (fact) => at(fact, 0),
    is: (fact, word) => at(fact, words(fact).indexOf(word)),
    atLeast: (fact, level) => (level <= 0 ? { op: "all", of: [] } : at(fact, level - 1)),
    not: negate,
    all: (of) => flat("all", of),
    any: (of) => flat("any", of)
  })
}

/** The targets of a program's jumps that end it; a refusal adds the place of the check that refuses. */
const yes = -1
const no = -2

/**
 * Instructions of five numbers each: a word of the facts, a mask, the value that the masked word must have, and where to
 * go on when it has it and when it hasn't. Literals that lie in one word are one instruction.
 */
class Assembler {
  readonly code: Array<number> = []

  /** Writes a form's instructions so that they go to `hit` or `miss`, and returns where they start. */
  form(form: Form, hit: number, miss: number): number {
    if (form.op === "any") return this.form(negate(form), miss, hit)
    const parts = form.op === "bit" ? [form] : form.of
    const words = new Map<number, { mask: number; want: number }>()
    const others: Array<Form> = []
    for (const part of parts) {
      if (part.op !== "bit") {
        others.push(part)
        continue
      }
      const word = words.get(part.place >> 5) ?? { mask: 0, want: 0 }
      const bit = 1 << (part.place & 31)
      if ((word.mask & bit) !== 0 && ((word.want & bit) !== 0) !== part.set) return miss
      words.set(part.place >> 5, { mask: word.mask | bit, want: part.set ? word.want | bit : word.want })
    }
    // Written from the end, so that each part knows where the next one starts.
    let start = hit
    for (const other of others.reverse()) start = this.form(other, start, miss)
    for (const [word, { mask, want }] of [...words].reverse()) start = this.instruction(word, mask, want, start, miss)
    return start
  }

  private instruction(word: number, mask: number, want: number, hit: number, miss: number): number {
    if (hit === miss) return hit
    return this.code.push(word, mask, want, hit, miss) - 5
  }
}

/** A compiled condition or chain of conditions on the bits of facts. */
interface Program {
  readonly code: Int32Array
  readonly start: number
}

const run = ({ code, start }: Program, bits: Int32Array): number => {
  let at = start
  while (at >= 0) {
    const holds = ((bits[code[at] as number] as number) & (code[at + 1] as number)) === code[at + 2]
    at = code[holds ? at + 3 : at + 4] as number
  }
  return at
}

/** Compiles a condition once into a predicate on the bits of facts that have been made ready. */
export const compileBits = (condition: Node, layout: Layout): Predicate<Int32Array> => {
  const assembler = new Assembler()
  const start = assembler.form(formOf(condition, layout), yes, no)
  const program: Program = { code: Int32Array.from(assembler.code), start }
  return (bits) => run(program, bits) === yes
}

/** Compiles conditions that must all hold into a function that returns the place of the first that doesn't, or -1. */
export const compileChain = (
  conditions: ReadonlyArray<Node>,
  layout: Layout
): ((bits: Int32Array) => number) => {
  const assembler = new Assembler()
  let start = yes
  for (let place = conditions.length - 1; place >= 0; place--) {
    start = assembler.form(formOf(conditions[place] as Node, layout), start, no - place)
  }
  const program: Program = { code: Int32Array.from(assembler.code), start }
  return (bits) => {
    const end = run(program, bits)
    return end === yes ? -1 : no - end
  }
}
