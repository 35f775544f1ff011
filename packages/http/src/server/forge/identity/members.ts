import { AccessPreview } from "@slipway/forge/explanation"
import { Members, OrganizationBlocks } from "@slipway/forge/identity"
import { memberEndpoints } from "../../../api/forge/identity/organizations.ts"
import { showUserTo } from "../base/show.ts"
import { handle, orPreview } from "../entry/handle.ts"

/** The handlers of the members and the blocked users of organizations. */
export const layerMembers = handle(
  memberEndpoints,
  {
    "organization.member.list": ({ page, proof }) => Members.list(proof, page),
    "organization.member.check": ({ params, proof }) => Members.check(proof, params.username),
    "organization.member.remove": (asked) => {
      const { params, proof } = asked
      const removal = Members.remove(proof, params.username)
      return orPreview(asked, (page) => AccessPreview.ofFormerMember(proof, params.username, removal, page), removal)
    },
    "organization.public-member.list": ({ page, proof }) => Members.listPublic(proof, page),
    "organization.public-member.check": ({ params, proof }) => Members.checkPublic(proof, params.username),
    "organization.public-member.add": ({ proof }) => Members.publicize(proof),
    "organization.public-member.remove": ({ proof }) => Members.conceal(proof),
    "organization.block.list": ({ page, proof }) => OrganizationBlocks.list(proof, page),
    "organization.block.check": ({ params, proof }) => OrganizationBlocks.check(proof, params.username),
    "organization.block.add": ({ params, proof, query }) =>
      OrganizationBlocks.add(proof, params.username, query.note ?? ""),
    "organization.block.remove": ({ params, proof }) => OrganizationBlocks.remove(proof, params.username)
  },
  { showTo: showUserTo }
)
