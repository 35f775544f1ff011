import { Context, type Effect } from "effect"
import type { Plain } from "./Workflow.ts"

/** The content of a YAML text, or the reason why it cannot be parsed. */
export type YamlRead =
  | { readonly said: Plain }
  | {
      readonly because: string
      /** Whether it exceeded the time or memory limit. */
      readonly exhausting?: boolean
    }

/**
 * Reads the YAML of workflows, which is untrusted, within bounds of time and memory.
 *
 * Must:
 * - read maps, lists, texts, numbers and yes or no, as YAML 1.2 does
 * - read what names stand for
 * - merge maps under the key `<<`
 * - say why a text can't be read
 * - refuse a text in which few names stand for very much
 */
export class WorkflowReader extends Context.Service<
  WorkflowReader,
  { readonly read: (text: string) => Effect.Effect<YamlRead> }
>()("@slipway/domain/forge/WorkflowReader") {}
