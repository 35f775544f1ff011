import type { DeployWorld } from "./world.ts"

/** Returns a test world as text. Reading the text gives the same world. */
export const printDeployWorld = (world: DeployWorld): string => {
  const lines: Array<string> = [...world.users].map((user) => `user ${user}`)
  for (const [name, members] of world.groups) lines.push(["group", name, ...members].join(" "))
  for (const [name, { place, type }] of world.resources) {
    const team = world.teamName(place.teamId)
    if (name === "root") continue
    if (type === "project" || type === "server") lines.push(`${type} ${name}${team === "root" ? "" : ` in ${team}`}`)
    else lines.push(`${type} ${name}${type === "environment" && place.isProtected === true ? " protected" : ""}`)
  }
  for (const [name, capabilities] of world.roles) lines.push(`role ${[name, ...capabilities].join(" ")}`)
  for (const { on, role, to } of world.grants) lines.push(`grant ${to} ${role} ${on}`)
  return `${lines.join("\n")}\n`
}
