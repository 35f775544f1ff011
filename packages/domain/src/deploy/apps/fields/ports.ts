import { lineThat } from "./field.ts"

const isPort = (value: string): boolean => /^[1-9][0-9]{0,4}$/.test(value) && Number(value) <= 65535
const isPortOrRange = (value: string): boolean => {
  const [from = "", to, ...more] = value.split("-")
  return more.length === 0 && isPort(from) && (to === undefined || (isPort(to) && Number(from) <= Number(to)))
}
const span = (value: string): number => {
  const [from = "", to = from] = value.split("-")
  return Number(to) - Number(from)
}

/**
 * Returns whether a text is a comma-separated list of ports.
 *
 * @example
 * isPortList("3000,8080") // => true
 * isPortList("0") // => false
 */
export const isPortList = (value: string): boolean => value.split(",").every((port) => isPort(port.trim()))

const isMapping = (value: string): boolean => {
  const parts = /^(?:(\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]):)?([0-9-]+):([0-9-]+)(?:\/(?:tcp|udp))?$/.exec(value)
  const [, , from = "", to = ""] = parts ?? []
  return parts !== null && isPortOrRange(from) && isPortOrRange(to) && span(from) === span(to)
}

/**
 * Returns whether a text is a comma-separated list of port mappings `[address:]hostPort:containerPort[/protocol]`.
 *
 * @example
 * isPortMappings("8080:80,127.0.0.1:5353:53/udp") // => true
 * isPortMappings("8080") // => false
 */
export const isPortMappings = (value: string): boolean => value.split(",").every((each) => isMapping(each.trim()))

/** The schema of one port; an empty text is allowed. */
export const Port = lineThat(isPort, "Must be a port from 1 to 65535.")
/** The schema of a comma-separated list of ports; an empty text is allowed. */
export const Ports = lineThat(isPortList, "Must be a comma-separated list of ports from 1 to 65535.")
/** The schema of a comma-separated list of port mappings; an empty text is allowed. */
export const PortMappings = lineThat(
  isPortMappings,
  "Must be a comma-separated list of host:container ports, such as 8080:80."
)
