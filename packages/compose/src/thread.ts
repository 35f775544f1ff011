import { answerEach } from "@slipway/threads/thread"
import { type Reference, referencesIn } from "./references.ts"
import type { Read } from "./texts.ts"
import { documentsIn, printedYaml } from "./yaml.ts"

/** A request to the worker thread: parse a compose file for references, or the output of docker-compose 1. */
export type Question = { readonly file: string } | { readonly printed: string }

/** The response of the worker thread to each request. */
export interface Answers {
  readonly file: Read<ReadonlyArray<Reference>>
  readonly printed: Read<unknown>
}

answerEach((question: Question): Answers[keyof Answers] => {
  if ("printed" in question) return printedYaml(question.printed)
  const documents = documentsIn(question.file)
  return "said" in documents ? { said: referencesIn(documents.said) } : documents
})
