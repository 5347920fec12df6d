// What is computed once and kept.

/**
 * What a map has under a key, which is made where there is nothing yet.
 * @template K, V
 * @param {{get(key: K): V | undefined, set(key: K, value: V): unknown}} map @param {K} key @param {() => V} make
 */
export function kept(map, key, make) {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
