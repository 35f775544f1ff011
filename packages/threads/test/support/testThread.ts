import { answerEach } from "../../src/thread.ts"

/** A request to the thread of the tests. */
export type Question = "count" | "end" | "fill" | "loop" | "throw"

let count = 0
const kept: Array<unknown> = []

// Crashes on a message, with or without a request.
new BroadcastChannel("threads that break").onmessage = () => {
  throw new Error("it broke")
}

answerEach((question: Question): number => {
  if (question === "loop") for (;;) count++
  if (question === "fill") for (;;) kept.push({ count: count++ })
  if (question === "end") process.exit()
  if (question === "throw") throw new Error("it broke")
  return ++count
})
