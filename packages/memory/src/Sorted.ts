/** An immutable sorted map (a balanced tree); a write returns a new map, which shares unchanged subtrees. */
export type Sorted<K extends string | number, V> = Node<K, V> | undefined

interface Node<K extends string | number, V> {
  readonly key: K
  readonly value: V
  /** The number of entries in this subtree, by which the nth entry is found in logarithmic time. */
  readonly size: number
  readonly left: Sorted<K, V>
  readonly right: Sorted<K, V>
}

/** Returns the number of entries. */
export const size = <K extends string | number, V>(map: Sorted<K, V>): number => map?.size ?? 0

const node = <K extends string | number, V>(key: K, value: V, left: Sorted<K, V>, right: Sorted<K, V>): Node<K, V> => ({
  key,
  value,
  size: size(left) + size(right) + 1,
  left,
  right
})

// Weight-balanced trees with the parameters that Hirai and Yamamoto proved correct.
const delta = 3
const gamma = 2
const weight = <K extends string | number, V>(map: Sorted<K, V>): number => size(map) + 1

const balanced = <K extends string | number, V>(
  key: K,
  value: V,
  left: Sorted<K, V>,
  right: Sorted<K, V>
): Node<K, V> => {
  if (right !== undefined && weight(right) > delta * weight(left)) {
    const { left: inner, right: outer } = right
    if (inner === undefined || weight(inner) < gamma * weight(outer)) {
      return node(right.key, right.value, node(key, value, left, inner), outer)
    }
    return node(
      inner.key,
      inner.value,
      node(key, value, left, inner.left),
      node(right.key, right.value, inner.right, outer)
    )
  }
  if (left !== undefined && weight(left) > delta * weight(right)) {
    const { left: outer, right: inner } = left
    if (inner === undefined || weight(inner) < gamma * weight(outer)) {
      return node(left.key, left.value, outer, node(key, value, inner, right))
    }
    return node(
      inner.key,
      inner.value,
      node(left.key, left.value, outer, inner.left),
      node(key, value, inner.right, right)
    )
  }
  return node(key, value, left, right)
}

/** Returns the value of a key; undefined if the key is missing. */
export const get = <K extends string | number, V>(map: Sorted<K, V>, key: K): V | undefined => {
  let at = map
  while (at !== undefined && at.key !== key) at = key < at.key ? at.left : at.right
  return at?.value
}

/** Iterates over the keys in order. */
export function* keys<K extends string | number, V>(map: Sorted<K, V>): Generator<K> {
  if (map === undefined) return
  yield* keys(map.left)
  yield map.key
  yield* keys(map.right)
}

/** Returns a new map in which a key has the given value. */
export const set = <K extends string | number, V>(map: Sorted<K, V>, key: K, value: V): Node<K, V> => {
  if (map === undefined) return node(key, value, undefined, undefined)
  if (key === map.key) return node(key, value, map.left, map.right)
  return key < map.key
    ? balanced(map.key, map.value, set(map.left, key, value), map.right)
    : balanced(map.key, map.value, map.left, set(map.right, key, value))
}

const first = <K extends string | number, V>(map: Node<K, V>): Node<K, V> =>
  map.left === undefined ? map : first(map.left)

const joined = <K extends string | number, V>(left: Sorted<K, V>, right: Sorted<K, V>): Sorted<K, V> => {
  if (left === undefined) return right
  if (right === undefined) return left
  const next = first(right)
  return balanced(next.key, next.value, left, remove(right, next.key))
}

/** Returns a new map without a key. */
export const remove = <K extends string | number, V>(map: Sorted<K, V>, key: K): Sorted<K, V> => {
  if (map === undefined) return undefined
  if (key === map.key) return joined(map.left, map.right)
  return key < map.key
    ? balanced(map.key, map.value, remove(map.left, key), map.right)
    : balanced(map.key, map.value, map.left, remove(map.right, key))
}

/** Returns the number of entries up to and including a key. */
export const rank = <K extends string | number, V>(map: Sorted<K, V>, key: K): number => {
  let before = 0
  let at = map
  while (at !== undefined) {
    if (key < at.key) at = at.left
    else {
      before += size(at.left) + 1
      at = key === at.key ? undefined : at.right
    }
  }
  return before
}

/** Returns at most `limit` values in key order, without the first `skip`. */
export const slice = <K extends string | number, V>(
  map: Sorted<K, V>,
  skip = 0,
  limit = Number.POSITIVE_INFINITY
): Array<V> => {
  const values: Array<V> = []
  const visit = (at: Sorted<K, V>, start: number): void => {
    if (at === undefined || start >= at.size || values.length >= limit) return
    const before = size(at.left)
    visit(at.left, start)
    if (start <= before && values.length < limit) values.push(at.value)
    visit(at.right, Math.max(0, start - before - 1))
  }
  visit(map, skip)
  return values
}
