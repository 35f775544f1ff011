import { answerEach } from "@slipway/threads/thread"
import { type Reference, referencesIn } from "./references.ts"
import type { Read } from "./texts.ts"
import { documentsIn, printedYaml } from "./yaml.ts"

/** What the thread is asked: what a compose file names, or what the first generation of the program printed. */
export type Question = { readonly file: string } | { readonly printed: string }

/** What a thread answers to each question. */
export interface Answers {
  readonly file: Read<ReadonlyArray<Reference>>
  readonly printed: Read<unknown>
}

answerEach((question: Question): Answers[keyof Answers] => {
  if ("printed" in question) return printedYaml(question.printed)
  const documents = documentsIn(question.file)
  return "said" in documents ? { said: referencesIn(documents.said) } : documents
})
