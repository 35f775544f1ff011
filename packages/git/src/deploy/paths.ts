import { PathMatcher } from "@slipway/domain/deploy/apps"
import { Layer } from "effect"
import picomatch from "picomatch"

// Escapes the characters of groups, because repeated groups could make a glob run forever.
const withoutGroups = (glob: string): string =>
  glob.replaceAll(/\\.|[()+|@$]|(?<!\[)[!^]/gs, (found) => (found.startsWith("\\") ? found : `\\${found}`))

const options = { dot: true, noextglob: true, nonegate: true, posix: true } as const

/** Layer that matches paths against glob patterns, with the picomatch library. */
export const layerPathMatcher = Layer.succeed(PathMatcher, {
  compile: (glob) => {
    try {
      const matches = picomatch(withoutGroups(glob), options)
      return (path) => matches(path)
    } catch {
      return undefined
    }
  }
})
