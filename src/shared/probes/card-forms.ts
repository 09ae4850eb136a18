import type { CardReport, CardReportForm } from './card-report.ts';
import type { NvidiaSmiForm } from './query-form.ts';
import { parseReportText, parseReportXml } from './report.ts';
import { parseSmiList } from './smi-list.ts';
import { parseSmiTable } from './smi-table.ts';

const READERS: Readonly<Record<CardReportForm, (text: string) => CardReport>> = {
  details: parseReportText,
  xml: parseReportXml,
  table: parseSmiTable,
  list: parseSmiList,
};

export function isCardReportForm(form: NvidiaSmiForm): form is CardReportForm {
  return Object.hasOwn(READERS, form);
}

export function parseCardReport(form: CardReportForm, text: string): CardReport {
  return READERS[form](text);
}
