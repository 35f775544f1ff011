/** The rules of examples/printers, as tests of packages import them. */
export { policy as printers } from "../../examples/printers/rules.ts"
