import { parseScopeWord, type ScopeCategory, scopeCategories, scopeOf } from "@slipway/domain/forge/access"

const categoryTexts: Readonly<Record<ScopeCategory, string>> = {
  activitypub: "webhooks and other external data",
  admin: "the administration of this site",
  issue: "issues and pull requests",
  misc: "settings and templates of this site",
  notification: "your notifications",
  organization: "your organizations and teams",
  package: "packages",
  repository: "repositories, with their code",
  user: "your account"
}

/**
 * Returns the permissions of scopes, each as a sentence for users.
 *
 * @example
 * scopeSentences(["openid", "write:issue"]) // => ["Read your identity", "Read and change issues and pull requests"]
 */
export const scopeSentences = (asked: ReadonlyArray<string>): ReadonlyArray<string> => {
  const scope = scopeOf(asked.flatMap((each) => parseScopeWord(each) ?? []))
  const whole = scopeCategories.every((each) => scope.levels[each] === 2)
  const reached = whole
    ? ["Read and change everything that you can access"]
    : scopeCategories
        .filter((each) => scope.levels[each] > 0)
        .map((each) => `${scope.levels[each] === 2 ? "Read and change" : "Read"} ${categoryTexts[each]}`)
  return [
    ...(asked.includes("openid") ? ["Read your identity"] : []),
    ...(asked.includes("profile") ? ["Read your name, avatar and website"] : []),
    ...(asked.includes("email") ? ["Read your email address"] : []),
    ...(asked.includes("groups") ? ["Read which organizations and teams you are in"] : []),
    ...reached,
    ...(scope.publicOnly ? ["Public resources only"] : [])
  ]
}
