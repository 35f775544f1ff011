import { CheckoutFailed } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { runGit } from "../program.ts"

const oldest = [2, 38] as const
const installHint = `install git ${oldest.join(".")} or newer on the machine of the platform`

const refuse = (because: string) => Effect.fail(new CheckoutFailed({ because: `${because}: ${installHint}` }))

/** Fails, with installation advice, if the git program is missing or too old. */
export const usableGit = (environment: Readonly<Record<string, string>> = {}): Effect.Effect<void, CheckoutFailed> =>
  runGit({ args: ["version"], environment }).pipe(
    Effect.catch(() => refuse("the git program is not installed")),
    Effect.flatMap((said) => {
      const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said) ?? []).map(Number)
      return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
        ? Effect.void
        : refuse(`git ${major}.${minor} is too old`)
    })
  )
