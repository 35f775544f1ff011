import { type Condition, fold, type Node, type Predicate } from "./Condition.ts"
import type { Fact, Vocabulary } from "./Facts.ts"

/** The position of a fact (a value that access rules test) in the bits of a packed record. */
export interface Slot {
  readonly name: string
  readonly fact: Fact
  readonly place: number
  /** The number of possible values of the fact. */
  readonly values: number
}

/**
 * The position of each fact value in the bits of a packed record. A flag takes one bit, a list one bit for each word,
 * and ordered values one bit for each level above the lowest.
 */
export interface Layout {
  readonly slots: ReadonlyMap<string, Slot>
  readonly order: ReadonlyArray<Slot>
  readonly words: number
}

/** Computes the bit positions of all facts that a vocabulary describes. */
export const layoutOf = (vocabulary: Vocabulary): Layout => {
  const order: Array<Slot> = []
  let place = 0
  for (const [name, fact] of Object.entries(vocabulary)) {
    const values = fact.kind === "flag" ? 2 : fact.kind === "word" ? fact.words.length : fact.levels.length
    order.push({ name, fact, place, values })
    place += fact.kind === "word" ? values : values - 1
  }
  return { order, slots: new Map(order.map((slot) => [slot.name, slot])), words: (place + 31) >> 5 }
}

// A missing fact, or one that is not in its list, would silently count as false: it is a defect of the adapter.
const unknown = (name: string, value: unknown): never => {
  throw new Error(`\`${String(value)}\` is not a value of the fact \`${name}\``)
}

/** Packs facts into bits: all facts of a layout, or only the given slots. Throws for a missing or unknown value. */
export const bitsOf = (layout: Layout, facts: unknown, slots: ReadonlyArray<Slot> = layout.order): Int32Array => {
  const record = facts as Readonly<Record<string, unknown>>
  const bits = new Int32Array(layout.words)
  for (const { fact, name, place, values } of slots) {
    const value = record[name]
    if (fact.kind === "flag") {
      if (value === true) bits[place >> 5] = (bits[place >> 5] as number) | (1 << (place & 31))
      else if (value !== false) unknown(name, value)
    } else if (fact.kind === "word") {
      const word = fact.words.indexOf(value as string)
      if (word < 0) unknown(name, value)
      const at = place + word
      bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31))
    } else {
      const level = value as number
      if (!Number.isInteger(level) || level < 0 || level >= values) unknown(name, value)
      for (let at = place; at < place + level; at++) bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31))
    }
  }
  return bits
}

/** A record of facts (the values that rules test), packed into bits. A decision on it takes a few nanoseconds. */
export class Loaded<F> {
  readonly facts: F
  readonly layout: Layout
  readonly bits: Int32Array

  constructor(layout: Layout, facts: F) {
    this.facts = facts
    this.layout = layout
    this.bits = bitsOf(layout, facts)
  }
}

/** A condition in which only single bits are negated (negation normal form). */
type Form =
  | { readonly op: "bit"; readonly place: number; readonly set: boolean }
  | { readonly op: "all" | "any"; readonly of: ReadonlyArray<Form> }

const negate = (form: Form): Form =>
  form.op === "bit" ? { ...form, set: !form.set } : { op: form.op === "all" ? "any" : "all", of: form.of.map(negate) }

const flat = (op: "all" | "any", of: ReadonlyArray<Form>): Form => {
  const parts = of.flatMap((each) => (each.op === op ? each.of : [each]))
  return parts.length === 1 ? (parts[0] as Form) : { op, of: parts }
}

const formOf = <F>(condition: Condition<F>, layout: Layout): Form => {
  const slot = (name: string): Slot => {
    const found = layout.slots.get(name)
    if (found === undefined) throw new Error(`\`${name}\` is not a fact of this vocabulary`)
    return found
  }
  const bit = (place: number): Form => ({ op: "bit", place, set: true })
  const word = (name: string, text: string): Form => {
    const { fact, place } = slot(name)
    const at = fact.kind === "word" ? fact.words.indexOf(text) : -1
    return at < 0 ? unknown(name, text) : bit(place + at)
  }
  return fold<F, Form>(condition, {
    flag: (name) => bit(slot(name).place),
    is: word,
    atLeast: (name, level) => {
      const { place, values } = slot(name)
      if (level >= values) return unknown(name, level)
      return level <= 0 ? { op: "all", of: [] } : bit(place + level - 1)
    },
    not: negate,
    all: (of) => flat("all", of),
    any: (of) => flat("any", of)
  })
}

/**
 * The jump targets that end a compiled program with a result. For a chain of conditions, the refusal target also
 * encodes the index of the failing condition.
 */
const yes = -1
const no = -2

/**
 * Writes the instructions of a compiled condition, five numbers each.
 *
 * The numbers are: the index of a 32-bit word of the facts, a mask, the expected value of the masked word, and the jump
 * targets for a match and for a mismatch. Tests of bits in the same word share one instruction.
 */
class Assembler {
  readonly code: Array<number> = []

  /** Writes the instructions of a condition, which jump to `hit` or `miss`, and returns the index of the first one. */
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
    // The program is written from its end, so that each part knows the start of the next one.
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

/** A compiled condition, or a chain of conditions, that runs on the bits of a fact record. */
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

/** Compiles a condition into a predicate on the bits of a packed fact record. */
export const compileBits = (condition: Node, layout: Layout): Predicate<Int32Array> => {
  const assembler = new Assembler()
  const start = assembler.form(formOf(condition, layout), yes, no)
  const program: Program = { code: Int32Array.from(assembler.code), start }
  return (bits) => run(program, bits) === yes
}

/** Compiles conditions that must all be true into a function that returns the index of the first false one, or -1. */
export const compileChain = (conditions: ReadonlyArray<Node>, layout: Layout): ((bits: Int32Array) => number) => {
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
