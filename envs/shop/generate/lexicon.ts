/** A department of generated shops. */
export interface Department {
  readonly category: string;
  /** First two parts of its products' paths. */
  readonly path: string;
  readonly nouns: readonly string[];
  readonly attributes: readonly string[];
  /** Names of the options that its products may have. */
  readonly options: readonly OptionName[];
}

/** Options of generated products by name. */
export const optionValues = {
  color: ["red", "blue", "green", "black", "white", "yellow", "purple", "pink"],
  size: ["small", "medium", "large", "huge"],
  flavor: ["vanilla", "honey", "ginger", "almond", "lemon", "berry"],
} as const;

/** A name in {@link optionValues}. */
export type OptionName = keyof typeof optionValues;

/** Departments of generated shops. No attribute resembles another one as the reward compares them. */
export const departments: readonly Department[] = [
  {
    category: "fashion",
    path: "Clothing › Everyday",
    nouns: ["shirt", "dress", "jacket", "skirt", "sweater", "scarf"],
    attributes: ["machine wash", "slim fit", "long sleeve", "quick drying", "wrinkle resistant"],
    options: ["color", "size"],
  },
  {
    category: "kitchen",
    path: "Home & Kitchen › Kitchen",
    nouns: ["mug", "kettle", "pan", "bowl", "tray", "jar"],
    attributes: ["dishwasher safe", "bpa free", "non stick", "heavy duty", "stainless steel"],
    options: ["color", "size"],
  },
  {
    category: "beauty",
    path: "Beauty › Personal Care",
    nouns: ["shampoo", "lotion", "soap", "perfume", "balm", "mask"],
    attributes: ["cruelty free", "long lasting", "paraben free", "sensitive skin", "travel pack"],
    options: ["flavor", "size"],
  },
  {
    category: "electronics",
    path: "Electronics › Accessories",
    nouns: ["charger", "speaker", "camera", "headset", "keyboard", "cable"],
    attributes: ["noise cancelling", "fast charging", "water proof", "plug play", "carbon fiber"],
    options: ["color", "size"],
  },
  {
    category: "grocery",
    path: "Grocery › Snacks",
    nouns: ["cookies", "granola", "crackers", "candy", "sauce", "tea"],
    attributes: ["gluten free", "low sodium", "high protein", "non gmo", "hand made"],
    options: ["flavor", "size"],
  },
  {
    category: "garden",
    path: "Home & Kitchen › Furniture",
    nouns: ["chair", "lamp", "sofa", "desk", "shelf", "rug"],
    attributes: ["solid wood", "easy assemble", "space saving", "fade proof", "memory foam"],
    options: ["color", "size"],
  },
];

/** Makers; part of every title. */
export const brands: readonly string[] = [
  "acme",
  "norden",
  "lumina",
  "oakly",
  "vesta",
  "zephyr",
  "kestrel",
  "marlow",
];

/** Words of generated titles that are nouns. */
const NOUNS = new Set<string>([...brands, ...departments.flatMap(({ nouns }) => nouns)]);

/** The nouns of a generated title: exact, since its words are known. */
export function generatedNouns(title: string): readonly string[] {
  return title.split(" ").filter((word) => NOUNS.has(word));
}
