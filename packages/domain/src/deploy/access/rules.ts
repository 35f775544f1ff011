import { conditionsOn } from "@slipway/access"
import type { AccessFacts } from "./abilities.ts"

const { any, flag, all } = conditionsOn<AccessFacts>()

/** The rules of the deployment platform: which abilities permit which action (decision "Bearer tokens"). */
export const rules = {
  anyone: { when: all(), because: "every valid token may" },
  read: {
    when: any(flag("read"), flag("sensitive"), flag("root")),
    because: "tokens with `read`, `read:sensitive` or `root` may"
  },
  sensitive: { when: any(flag("sensitive"), flag("root")), because: "tokens with `read:sensitive` or `root` may" },
  write: { when: any(flag("write"), flag("root")), because: "tokens with `write` or `root` may" },
  deploy: { when: any(flag("deploy"), flag("root")), because: "tokens with `deploy` or `root` may" },
  account: { when: flag("account"), because: "sessions and tokens of an account may" },
  session: { when: flag("session"), because: "sessions may, because a token must not extend itself" },
  root: { when: flag("root"), because: "tokens with `root` may" }
} as const

/** The name of a rule. */
export type RuleId = keyof typeof rules
