/** A complex number in doubles with a bound of its absolute rounding error. */
export interface Complex {
  readonly re: number;
  readonly im: number;
  readonly error: number;
}

const eps = 2 ** -52;

/** A number that is exact but for its rounding to a double. */
export function complex(re: number, im = 0): Complex {
  return make(re, im, 0);
}

/** |z|. */
export function size({ re, im }: Complex): number {
  return Math.hypot(re, im);
}

export function add(a: Complex, b: Complex): Complex {
  return make(a.re + b.re, a.im + b.im, a.error + b.error);
}

export function subtract(a: Complex, b: Complex): Complex {
  return make(a.re - b.re, a.im - b.im, a.error + b.error);
}

export function multiply(a: Complex, b: Complex): Complex {
  const error = size(a) * b.error + size(b) * a.error + a.error * b.error;
  return make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re, error);
}

export function divide(a: Complex, b: Complex): Complex {
  const square = b.re * b.re + b.im * b.im;
  const error = a.error / size(b) + size(a) * b.error / square;
  return make((a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square, error);
}

/** e^z. */
export function exp(z: Complex): Complex {
  const r = Math.exp(z.re);
  return make(r * Math.cos(z.im), r * Math.sin(z.im), r * z.error);
}

/** Principal logarithm. */
export function log(z: Complex): Complex {
  return make(Math.log(size(z)), Math.atan2(z.im, z.re), z.error / size(z));
}

/** a^b, principal value; whole exponents of reals stay real. */
export function power(a: Complex, b: Complex): Complex {
  const r = size(a);
  if (r === 0) return b.re > 0 && b.im === 0 ? complex(0) : complex(NaN);
  const lost = (e: number) => e * (size(b) * a.error / r + size(log(a)) * b.error + eps * 8);
  if (a.im === 0 && b.im === 0 && (a.re > 0 || Number.isInteger(b.re))) {
    const value = Math.pow(a.re, b.re);
    return make(value, 0, lost(Math.abs(value)));
  }
  const value = exp(multiply(b, log({ ...a, error: 0 })));
  return make(value.re, value.im, lost(size(value)));
}

/** A real function applied to a complex number by its values on both axes; `error` is the new bound. */
export function make(re: number, im: number, error: number): Complex {
  return { re, im, error: error + eps * (Math.abs(re) + Math.abs(im)) };
}
