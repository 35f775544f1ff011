import { parentPort } from "node:worker_threads"

/** A message of a thread: that it is ready, or an answer. */
export type ThreadMessage<Answer> = { readonly ready: true } | { readonly answer: Answer }

/** Processes requests in a worker thread, one after the other. The thread's module calls it once. */
export const answerEach = <Question, Answer>(answer: (question: Question) => Answer): void => {
  const say = (said: ThreadMessage<Answer>) => parentPort?.postMessage(said)
  parentPort?.on("message", (question: Question) => say({ answer: answer(question) }))
  say({ ready: true })
}
