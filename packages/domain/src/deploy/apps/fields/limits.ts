import { lineThat } from "./field.ts"

const isMemory = (value: string): boolean => /^(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?(?:[bkmgBKMG][bB]?)?$/.test(value)
const isCpuSet = (value: string): boolean =>
  value.split(",").every((part) => {
    const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part.trim())
    return match !== null && (match[2] === undefined || Number(match[1]) <= Number(match[2]))
  })

/** The schema of a memory size in Docker's notation; an empty text is allowed. */
export const Memory = lineThat(isMemory, "Must be an amount of memory, such as 512m or 2g; 0 is no limit.")
/** The schema of a size of memory plus swap in Docker's notation; an empty text is allowed. */
export const MemorySwap = lineThat(
  (value) => value === "-1" || isMemory(value),
  "Must be an amount of memory, such as 512m or 2g; 0 is no separate limit, -1 is unlimited."
)
/** The schema of a number of CPUs; an empty text is allowed. */
export const Cpus = lineThat(
  (value) => /^(?:0|[1-9][0-9]{0,4})(?:\.[0-9]{1,9})?$/.test(value),
  "Must be a number of CPUs, such as 0.5 or 2; 0 is no limit."
)
/** The schema of a list of CPU numbers; an empty text is allowed. */
export const CpuSet = lineThat(isCpuSet, "Must be a list of CPUs, such as 0-2,4.")
