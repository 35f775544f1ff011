/** The point in time that means none where a field is required: the zero time of Go. */
export const zeroTime = "0001-01-01T00:00:00Z"
