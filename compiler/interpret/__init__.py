"""The oracle: a plain reading of the core that generated code is compared with.

It shares the core and the runtime's state with generated code and nothing else: no emitter, no lowering, no solver, no
search. `expressions` evaluates, `flow` walks statements, `table` settles changes, `choices` judges, `game` plays.
"""
