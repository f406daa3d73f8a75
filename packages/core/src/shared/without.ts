/** A copy of a map without one of its entries. */
export function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const others = new Map(map);
  others.delete(key);
  return others;
}
