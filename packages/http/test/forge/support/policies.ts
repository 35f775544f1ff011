import { Facts } from "@slipway/domain/access"
import { PolicySet } from "@slipway/domain/forge"

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

export const contractorsSeeTheirOwn = PolicySet.builtIn.hide("repository", {
  id: "house.contractors",
  when: ({ all, atLeast, flag, not }) =>
    all(
      flag("restricted"),
      not(flag("repositoryOwner")),
      not(flag("teamAdmin")),
      not(atLeast("teamAny", 1)),
      not(atLeast("collaborator", 1))
    ),
  because: "contractors see what they were given"
})

export const printers = PolicySet.builtIn
  .withKind("printer", { reserved: Facts.flag("the printer is reserved", "the printer is free") })
  .withAction("printer.use", {
    on: "printer",
    summary: "Print a page",
    access: "write",
    scope: ["misc"],
    guards: ["sign-in"],
    grants: [
      { id: "printer.free", when: ({ flag, not }) => not(flag("reserved")), because: "a free printer is for all" },
      { id: "printer.administrator", when: ({ flag }) => flag("siteAdmin"), because: "administrators pass" }
    ]
  })
