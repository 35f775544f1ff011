import { PolicySet } from "@slipway/domain/forge/access"

export const administratorsCreate = PolicySet.builtIn.replace("organization", "may-create-repository", {
  id: "house.administrators-create",
  when: ({ flag }) => flag("siteAdmin"),
  because: "only administrators create repositories in organizations"
})

export const quietFridays = PolicySet.builtIn
  .withFacts({
    friday: { yes: "it is Friday", no: "it is not Friday", holds: ({ at }) => new Date(at).getUTCDay() === 5 }
  })
  .forbid(["git.push", "repository.contents.create", "repository.contents.edit", "pull.merge"], {
    id: "house.quiet-fridays",
    when: ({ all, flag, not }) => all(flag("friday"), not(flag("siteAdmin"))),
    because: "nobody pushes on Fridays"
  })

export const membersSeeRepositories = PolicySet.builtIn.hide("repository", {
  id: "house.members",
  when: ({ any, atLeast, flag, not }) =>
    not(
      any(
        flag("siteAdmin"),
        flag("repositoryOwner"),
        flag("organizationMember"),
        flag("organizationOwner"),
        atLeast("collaborator", 1)
      )
    ),
  because: "repositories are for members and those whom they were shared with, public ones too"
})
