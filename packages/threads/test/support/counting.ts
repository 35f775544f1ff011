import { answerEach } from "../../src/thread.ts"

/** What the thread of the tests is asked. */
export type Question = "break later" | "count" | "end" | "fill" | "loop" | "throw"

let count = 0
const kept: Array<unknown> = []

answerEach((question: Question): number => {
  if (question === "loop") for (;;) count++
  if (question === "fill") for (;;) kept.push({ count: count++ })
  if (question === "end") process.exit()
  if (question === "break later") {
    setImmediate(() => {
      throw new Error("it broke later")
    })
  }
  if (question === "throw") throw new Error("it broke")
  return ++count
})
