/** WebShop's colour words. */
const COLORS =
  ("alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown " +
    "burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas coffee " +
    "cognac copper coral cranberry cream crystal dark denim eggplant elephant espresso fuchsia gold " +
    "granite grape graphite grass gray green grey heather indigo ivory ivy khaki lavender lemon " +
    "leopard light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom " +
    "mustard natural navy nude olive orange peach pewter pink plum purple rainbow red rose royal rust " +
    "sand sapphire seashell silver skull slate steel stone stonewash sunflower tan taupe teal tiger " +
    "turquoise violet walnut wheat white wine yellow").split(" ");

/**
 * The first colour word that is contained in a value, or the value: `dark red` is
 * `dark`, and `standard` is `tan`.
 */
export function normalizeColor(value: string): string {
  return COLORS.find((color) => value.includes(color)) ?? value;
}

/** The same for a named value as the original writes it, a pair: only whole words count. */
export function normalizePair(name: string, value: string): string {
  return COLORS.find((color) => color === name || color === value) ?? `${name} ${value}`;
}
