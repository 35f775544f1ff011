/** A world, what is asked of it, and the answers that are expected with the rules that decide. */
export interface Case {
  readonly name: string
  readonly world: string
  readonly questions: string
}
