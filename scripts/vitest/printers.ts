/** The custom rules of examples/printers, for tests of packages. */
export { policy as printers } from "../../examples/printers/rules.ts"
