import { Context, type Effect } from "effect"
import type { PlainValue } from "./Workflow.ts"

/** The parsed value of a YAML text, or the reason why it cannot be parsed. */
export type YamlRead =
  | { readonly said: PlainValue }
  | {
      readonly because: string
      /** Whether parsing exceeded the time or memory limit. */
      readonly exhausting?: boolean
    }

/**
 * Parses the YAML of workflows, which is untrusted, within time and memory limits.
 *
 * Must:
 * - parse maps, lists, texts, numbers and booleans as YAML 1.2
 * - resolve aliases
 * - merge maps under the key `<<`
 * - report why a text cannot be parsed
 * - reject a text with aliases that expand to too many nodes
 */
export class WorkflowReader extends Context.Service<
  WorkflowReader,
  { readonly read: (text: string) => Effect.Effect<YamlRead> }
>()("@slipway/domain/forge/WorkflowReader") {}
