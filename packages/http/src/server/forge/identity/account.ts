import { type User, userSettings } from "@slipway/domain/forge/identity"
import { Blocks, Emails, Follows, UserSettings, Users } from "@slipway/forge/identity"
import { Effect } from "effect"
import { accountEndpoints } from "../../../api/forge/identity/account.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { avatarUrl, renameFields, showEmail, showSettings, showUserTo } from "../base/show.ts"
import { settingNames } from "../base/showSettings.ts"
import { handle, shown, shownAll, shownOne } from "../entry/handle.ts"

const names = settingNames(userSettings)

const showSummary = Effect.map(PublicUrl, (publicUrl) => (user: User) => ({
  id: user.id,
  login: user.name,
  full_name: user.fullName,
  avatar_url: avatarUrl(publicUrl, user),
  is_admin: user.admin
}))

/** The handlers of the signed-in user. */
export const layerAccount = handle(
  accountEndpoints,
  {
    "account.read": ({ proof }) => shownOne(Users.readSelf(proof), showUserTo(proof.resource, true)),
    "account.summary.read": ({ proof }) => shownOne(Effect.succeed(Users.summaryOfSelf(proof)), showSummary),
    "account.settings.read": ({ proof }) => Effect.succeed(shown(showSettings(UserSettings.read(proof)))),
    "account.settings.edit": ({ body, proof }) =>
      shownOne(UserSettings.edit(proof, renameFields(body, names)), showSettings),
    "account.email.list": ({ proof }) => shownAll(Emails.list(proof), showEmail),
    "account.email.add": ({ body, proof }) => shownAll(Emails.add(proof, body.emails), showEmail),
    "account.email.remove": ({ body, proof }) => Emails.remove(proof, body.emails),
    "account.follower.list": ({ page, proof }) => Follows.ownFollowers(proof, page),
    "account.following.list": ({ page, proof }) => Follows.ownFollowing(proof, page),
    "account.following.check": ({ proof }) => Follows.amFollowing(proof),
    "account.following.add": ({ proof }) => Follows.follow(proof),
    "account.following.remove": ({ params, proof }) => Follows.unfollow(proof, params.username),
    "account.block.list": ({ page, proof }) => Blocks.list(proof, page),
    "account.block.check": ({ params, proof }) => Blocks.check(proof, params.username),
    "account.block.add": ({ params, proof, query }) => Blocks.add(proof, params.username, query.note ?? ""),
    "account.block.remove": ({ params, proof }) => Blocks.remove(proof, params.username)
  },
  { showTo: showUserTo }
)
