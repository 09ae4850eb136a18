import { Card } from './card.tsx';

export function CostCard() {
  return (
    <Card
      title="Cost meter"
      note="Not connected yet"
      tone="unknown"
      answer="Unknown"
      why="No price or bill is read for this box in this version."
    />
  );
}
