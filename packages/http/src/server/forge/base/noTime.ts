/** The point in time that stands for none where a field always has one: the zero time of Go. */
export const noTime = "0001-01-01T00:00:00Z"
