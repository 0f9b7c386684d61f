// Round numbers for axes, and figures as people write them.

// Steps of 1, 2 or 5 that cover the values; from zero unless told otherwise.
export function scale(values, fromZero, steps = 4) {
  const top = Math.max(...values, fromZero ? 0 : -Infinity);
  const bottom = Math.min(...values, fromZero ? 0 : Infinity);
  const step = niceStep((top - bottom || Math.abs(top) || 1) / steps);
  const low = Math.floor(bottom / step) * step;
  const high = Math.max(Math.ceil(top / step) * step, low + step);
  const ticks = [];
  for (let n = 0; low + n * step <= high + step / 2; n += 1) ticks.push(low + n * step);
  return { low, high, ticks, share: (value) => (value - low) / (high - low) };
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  const size = rough / power;
  if (size <= 1) return power;
  if (size <= 2) return 2 * power;
  return size <= 5 ? 5 * power : 10 * power;
}

export function figure(value) {
  if (value === undefined || value === null) return "–";
  const size = Math.abs(value);
  if (size >= 1e9) return `${short(value / 1e9)}B`;
  if (size >= 1e6) return `${short(value / 1e6)}M`;
  if (size >= 1e4) return `${short(value / 1e3)}k`;
  if (size >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

function short(value) {
  return String(Number(value.toPrecision(3)));
}
