import { parentPort } from "node:worker_threads"

/** A message of a worker thread: either that the thread is ready, or the response to a request. */
export type ThreadMessage<Answer> = { readonly ready: true } | { readonly answer: Answer }

/** Processes the requests to a worker thread one after the other. The module of the thread must call it once. */
export const answerEach = <Question, Answer>(answer: (question: Question) => Answer): void => {
  const say = (said: ThreadMessage<Answer>) => parentPort?.postMessage(said)
  parentPort?.on("message", (question: Question) => say({ answer: answer(question) }))
  say({ ready: true })
}
