import { valuesAt, type Chart } from './chart-model.ts';
import { formatMoment, summariseChart } from './chart-summary.ts';
import { summariseHeat } from './heat-words.ts';
import { UNKNOWN } from '../../ui/format.ts';
import type { OverviewModel } from './overview-model.ts';

/** What "Copy values" puts on the clipboard: a table of the moment at the cursor, or the summary of the window. */
export function valuesText(model: OverviewModel, boxName: string, at: number | null): string {
  const { fromMs, toMs } = model.axis;
  if (at === null || model.charts.length === 0) {
    const lines = [
      ...model.charts.map((chart) => summariseChart(chart, model)),
      ...model.heat.map((heat) => summariseHeat(heat, model)),
    ];
    return plain([`${boxName}, ${span(model)}`, ...lines].join('\n'));
  }
  const atMs = fromMs + at * (toMs - fromMs);
  const rows = model.charts.flatMap((chart) => rowsAt(chart, atMs));
  return plain([`${boxName}, ${new Date(atMs).toISOString()}`, ...rows].join('\n'));
}

function span({ axis: { fromMs, toMs } }: OverviewModel): string {
  return `${formatMoment(fromMs, toMs - fromMs)} to ${formatMoment(toMs, toMs - fromMs)}`;
}

/** Tabs between the cells, so that a spreadsheet takes them apart. */
function rowsAt(chart: Chart, atMs: number): readonly string[] {
  const values = valuesAt(chart, atMs);
  return chart.lines.map(({ label }, i) => {
    const value = values[i] ?? null;
    const name = [chart.kind.title, label].filter((part) => part !== '').join(' ');
    return `${name}\t${value === null ? UNKNOWN : value.toFixed(chart.decimals)}\t${chart.unit}`;
  });
}

/** The narrow spaces of the screen would be in the way of whoever pastes this. */
function plain(text: string): string {
  return text.replace(/[\u202f\u00a0]/g, ' ');
}
