// Counters of molecules in the citric acid cycle: each enzyme is a process that turns what it
// finds into something else. The molecules of the cycle are neither made nor lost.
// Source: H. A. Krebs and W. A. Johnson, 1937; as a model of concurrency like the chemical abstract
// machine of G. Berry and G. Boudol, 1992.
// states: 3911
// transitions: 14477
// verdict: holds
#ifndef GLUCOSE
#define GLUCOSE 5
#endif
#ifndef CYCLES
#define CYCLES 4
#endif

byte acetyl = GLUCOSE;
byte oxaloacetate = CYCLES;
byte citrate, isocitrate, ketoglutarate, succinyl, succinate, fumarate, malate;
byte carried, carrier = 4, gas, energy;

#define IN_CYCLE (oxaloacetate + citrate + isocitrate + ketoglutarate + succinyl + succinate + fumarate + malate)

active proctype CitrateSynthase()
{
end:	do
	:: atomic { acetyl > 0 && oxaloacetate > 0 -> acetyl--; oxaloacetate--; citrate++ }
	od
}

active proctype Aconitase()
{
end:	do
	:: atomic { citrate > 0 -> citrate--; isocitrate++ }
	:: atomic { isocitrate > 0 -> isocitrate--; citrate++ }
	od
}

active proctype IsocitrateDehydrogenase()
{
end:	do
	:: atomic { isocitrate > 0 && carrier > 0 -> isocitrate--; carrier--; ketoglutarate++; carried++; gas++ }
	od
}

active proctype KetoglutarateDehydrogenase()
{
end:	do
	:: atomic { ketoglutarate > 0 && carrier > 0 -> ketoglutarate--; carrier--; succinyl++; carried++; gas++ }
	od
}

active proctype SuccinylSynthetase()
{
end:	do
	:: atomic { succinyl > 0 -> succinyl--; succinate++; energy++ }
	od
}

active proctype SuccinateDehydrogenase()
{
end:	do
	:: atomic { succinate > 0 -> succinate--; fumarate++ }
	od
}

active proctype Fumarase()
{
end:	do
	:: atomic { fumarate > 0 -> fumarate--; malate++ }
	od
}

active proctype MalateDehydrogenase()
{
end:	do
	:: atomic { malate > 0 && carrier > 0 -> malate--; carrier--; oxaloacetate++; carried++ }
	od
}

active proctype Respiration()
{
end:	do
	:: atomic { carried > 0 -> carried--; carrier++ }
	od
}

active proctype Monitor()
{
end:	atomic { energy == GLUCOSE && oxaloacetate == CYCLES -> assert(gas == 2 * GLUCOSE && IN_CYCLE == CYCLES) }
}
