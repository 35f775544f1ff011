import { answerEach } from "@slipway/threads/thread"
import { type Reference, referencesIn } from "./references.ts"
import type { Read } from "./texts.ts"
import { documentsIn, printedYaml } from "./yaml.ts"

/** A question to the thread: the references of a compose file, or the output of the program's first generation. */
export type Question = { readonly file: string } | { readonly printed: string }

/** The thread's answer to each question. */
export interface Answers {
  readonly file: Read<ReadonlyArray<Reference>>
  readonly printed: Read<unknown>
}

answerEach((question: Question): Answers[keyof Answers] => {
  if ("printed" in question) return printedYaml(question.printed)
  const documents = documentsIn(question.file)
  return "said" in documents ? { said: referencesIn(documents.said) } : documents
})
